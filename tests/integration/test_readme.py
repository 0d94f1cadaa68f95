"""What a newcomer copies from the README and the page of commands works as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from apps.ingestion.conversation_file import RecordedConversation, read_lines
from memory.postgres.roles import Addresses
from tests.integration.brain_process import PATIENCE, Brain, as_url
from tests.integration.server import Server
from tests.integration.test_isolation_everywhere import OF_NOBODY

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs/commands.md").read_text()


def snippets(language: str, page: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def snippet(containing: str) -> str:
    (found,) = [each for each in snippets("python") if containing in each]
    return found


def run(code: str, environment: dict[str, str], folder: Path) -> str:
    script = folder / "snippet.py"
    script.write_text(code)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def test_the_script_that_tries_out_prompts_answers_once_per_variant(brain: Brain, tmp_path: Path):
    out = run(snippet("prompt_variant"), brain.environment, tmp_path)
    assert out.count("I remember nothing about that yet.") == 2
    assert out.count("No language model is configured") == 1


def test_the_client_of_the_server_prints_the_reply(open_server: Server, brain: Brain, tmp_path: Path):
    code = snippet("get_client").replace("http://127.0.0.1:2024", open_server.url)
    assert code.count(open_server.url) == 1
    out = run(code, brain.environment, tmp_path)
    assert "I know nothing about you yet." in out


def test_isolation_is_claimed_for_the_tables_that_have_it_and_for_no_other(test_addresses: Addresses):
    with psycopg.connect(test_addresses.owner) as connection:
        bare = connection.execute(
            "select distinct relnamespace::regnamespace::text from pg_class"
            " where relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)"
            " and relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and relname <> all(%s)",
            (sorted(OF_NOBODY),),
        ).fetchall()
    assert bare == []
    assert "row-level security is forced on every table" in README


def test_the_example_of_a_recording_is_read_and_remembered(brain: Brain, tmp_path: Path):
    (example,) = snippets("json", COMMANDS)
    (tmp_path / "talk.jsonl").write_text(example)
    assert [type(line.content) for line in read_lines(tmp_path / "talk.jsonl")] == [RecordedConversation] * 5
    done = brain.ask("ingest", "talk.jsonl")
    assert (done.code, done.out.split(";")[0]) == (0, "7 turns added, 0 known before, 0 blank, 0 lines refused")
    assert "Ghent" in brain.ask("recall", "Where do I live?", "--user", "ann").out
    assert "龙井茶" in brain.ask("recall", "喝什么茶", "--user", "丽").out
