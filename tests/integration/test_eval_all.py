"""``brain eval all`` on a real server: each part runs, and fails when what it guards is broken."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from typer.testing import CliRunner

from apps.memory_api.endpoint import AnyEndpoint, ApiAnswer, ApiCall, ApiRequest, Endpoint
from brain.resources import Resources
from brain.state import OpenTurn, Update
from evals.evaluation.commands import evaluations
from evals.memory_ci.bench import Bench, isolate
from evals.memory_ci.canaries import find_canaries
from evals.memory_ci.erased import NAMES, TENANT, find_erased
from evals.memory_ci.injected import find_injected
from evals.memory_ci.killed import find_killed
from evals.memory_ci.leaks import find_leaks
from evals.memory_ci.parts import PARTS
from evals.memory_ci.poisoning import find_poisoning
from evals.memory_ci.report import Findings, PartReport
from memory.scope import Speaker, scope_of
from tests.fakes import a_settings


@pytest.fixture
def bench(server_url: str, tmp_path: Path) -> Bench:
    """The smallest run, on words alone."""
    settings = isolate(a_settings(embeddings="none"), tmp_path)
    return Bench(settings=settings, server=server_url, is_quick=True, seconds=60)


def verdict_of(findings: Findings) -> str:
    return PartReport(name="p", title="P", seconds=1.0, findings=findings).verdict


def counts(findings: Findings) -> Mapping[str, int]:
    return {each.name: each.part for each in findings.figures}


async def test_nothing_planted_acts_and_no_attack_succeeds_without_the_detector(bench: Bench):
    for find in (find_canaries, find_poisoning):
        found = await find(bench)
        assert found.all_faults == []
        assert verdict_of(found) == "PASS"


async def test_canaries_and_poisoning_fail_where_calls_are_not_checked(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skills.dispatch._is_tainted", _always(False))
    canaries, poisoned = await find_canaries(bench), await find_poisoning(bench)
    assert verdict_of(canaries) == verdict_of(poisoned) == "FAIL"
    assert all(counts(canaries)[f"planted in a {place}, acted"] for place in ("memory", "document", "tool result"))
    assert counts(poisoned)["attacks that succeeded"]
    assert counts(poisoned)["memory_append ran"]


@pytest.mark.exhaustive
async def test_poisoning_fails_where_nothing_runs_at_all(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skills.dispatch._is_tainted", _always(True))
    found = await find_poisoning(bench)
    assert [each for each in found.all_faults if "what the person orders" in each]


async def test_strangers_find_nothing_of_others(bench: Bench):
    found = await find_leaks(bench)
    assert found.all_faults == []
    assert verdict_of(found) == "PASS"


class Anything(ApiRequest):
    pass


class Overheard(ApiAnswer):
    texts: list[str]


async def overhear(asked: Anything, call: ApiCall) -> Overheard:
    """A recall that forgets whose memory it searches."""
    texts = list[str]()
    for tenant in ("acme", "birch"):
        scope = scope_of(Speaker(tenant=tenant, user="ann"), call.resources.settings.dm_scope)
        texts += [each.content for each in await call.memory.items.list_newest(scope)]
    return Overheard(texts=texts)


async def break_down(asked: Anything, call: ApiCall) -> Overheard:
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("function", "figure"), [(overhear, "answers with a foreign canary"), (break_down, "failures without a code")]
)
async def test_leak_fuzzing_fails_where_an_endpoint_leaks_or_breaks(bench: Bench, function: Any, figure: str):
    broken: AnyEndpoint = Endpoint(
        name=function.__name__,
        doc="",
        request=Anything,
        answer=Overheard,
        function=function,
        method="GET",
        path="/v1/memory/broken",
    )
    found = await find_leaks(bench, [broken])
    assert verdict_of(found) == "FAIL"
    assert counts(found)[figure] == 200


async def test_nothing_is_left_of_who_is_erased(bench: Bench):
    found = await find_erased(bench)
    assert found.all_faults == []
    assert verdict_of(found) == "PASS"


async def test_erasure_fails_where_nothing_is_erased_or_too_much(bench: Bench):
    async def do_nothing(resources: Resources, tenant_id: UUID, tombstone_id: UUID) -> None:
        """Claims to erase."""

    async def take_everybody(resources: Resources, tenant_id: UUID, tombstone_id: UUID) -> None:
        with psycopg.connect(str(resources.settings.database_url)) as connection:
            connection.execute("set session_replication_role = replica")
            connection.execute("delete from brain.memory_items where tenant_id = %s", [tenant_id])

    left, lost = await find_erased(bench, do_nothing), await find_erased(bench, take_everybody)
    assert verdict_of(left) == verdict_of(lost) == "FAIL"
    assert any("conversation_events still spells" in each for each in left.faults)
    assert counts(left)["erasures completed"] == 0
    assert counts(lost)["tables in which another person lost theirs"] == 1
    assert NAMES == ("ann", "ben")
    assert TENANT


async def test_the_injection_gate_fails_where_nothing_is_injected(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    async def forget_all(state: OpenTurn, runtime: Any) -> Update:
        return {"memories": []}

    monkeypatch.setattr("evals.evaluation.injection.sanitize", forget_all)
    found = await find_injected(bench)
    assert verdict_of(found) == "FAIL"
    assert any("recall fell" in each for each in found.faults)


@pytest.mark.exhaustive
async def test_killed_workers_fail_where_a_step_is_done_twice(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    found = await find_killed(bench)
    assert (verdict_of(found), found.all_faults) == ("PASS", [])
    read, answers = "evals.memory_ci.killed.read_remembered", iter(range(100))

    async def changing(*_: object) -> int:
        return next(answers)

    monkeypatch.setattr(read, changing)
    assert verdict_of(await find_killed(bench)) == "FAIL"


@pytest.fixture
def quick_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BRAIN_EMBEDDINGS", "none")
    monkeypatch.setenv("BRAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BRAIN_OPENAI_API_KEY", "")


@pytest.mark.usefixtures("quick_settings")
@pytest.mark.parametrize(
    "names", [("contradictions", "retrieval"), pytest.param(("acts", "junk", "kills"), marks=pytest.mark.exhaustive)]
)
def test_the_command_writes_a_page_and_leaves_nothing_behind(names: tuple[str, ...], server_url: str, tmp_path: Path):
    before = databases(server_url)
    html, figures = tmp_path / "page.html", tmp_path / "figures.json"
    only = [word for name in names for word in ("--only", name)]
    ran = CliRunner().invoke(
        evaluations,
        ["all", "--quick", *only, "--server", server_url, "--html", str(html), "--json", str(figures)],
    )
    told = json.loads(figures.read_text("utf-8"))
    verdicts = {each["name"]: each["verdict"] for each in told["parts"]}
    assert verdicts == dict.fromkeys(names, "PASS"), ran.output
    assert ran.exit_code == 0
    assert told["passed"] is True
    assert told["configuration"]["embeddings"] == "none"
    page = html.read_text("utf-8")
    assert "Memory CI" in page
    assert str(tmp_path) not in page
    assert server_url not in page
    assert databases(server_url) == before


def databases(server_url: str) -> set[str]:
    with psycopg.connect(server_url) as connection:
        return {str(name) for (name,) in connection.execute("select datname from pg_database").fetchall()}


@pytest.mark.usefixtures("quick_settings")
def test_a_part_that_cannot_run_is_said_as_such_and_fails_the_command(
    server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def die(bench: Bench) -> Findings:
        raise ConnectionError("/home/ann is away")

    parts = [replace(part, find=die) if part.name == "junk" else part for part in PARTS]
    monkeypatch.setattr("evals.memory_ci.parts.PARTS", parts)
    figures, page = tmp_path / "figures.json", tmp_path / "page.html"
    words = ["all", "--quick", "--only", "junk", "--server", server_url, "--json", str(figures), "--html", str(page)]
    ran = CliRunner().invoke(evaluations, words)
    (part,) = json.loads(figures.read_text("utf-8"))["parts"]
    assert ran.exit_code == 1
    assert (part["verdict"], part["reason"]) == ("NOT RUN", "ConnectionError")
    assert "/home/ann" not in page.read_text("utf-8")


def test_a_part_that_does_not_exist_is_refused():
    ran = CliRunner().invoke(evaluations, ["all", "--only", "weather"])
    assert ran.exit_code != 0


def _always(verdict: bool) -> Callable[..., bool]:
    def judge(*_: object) -> bool:
        return verdict

    return judge
