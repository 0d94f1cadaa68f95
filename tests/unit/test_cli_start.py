"""A command starts with what it needs: whoever asks for help does not wait for a model, a graph or an evaluation."""

import subprocess
import sys
from importlib.metadata import EntryPoint, version

import pytest
from typer.testing import CliRunner

from apps.cli import app
from apps.cli.commands import COMMANDS, load_command

HEAVY = (
    "openai",
    "langchain_openai",
    "torch",
    "fastembed",
    "evals",
    "langgraph",
    "brain.wiring",
    "language.classifier",
)
AFTER = """
import sys
from apps.cli import app
try:
    app(sys.argv[1:])
finally:
    print("imported", *sorted(sys.modules))
"""
"""Python code that runs the command and then tells what was imported for it."""


@pytest.mark.parametrize("command", [["--help"], ["keys", "list", "--help"]])
def test_help_comes_without_what_only_the_work_needs(command: list[str]):
    done = subprocess.run([sys.executable, "-c", AFTER, *command], capture_output=True, text=True, check=True)
    said, imported = done.stdout.rsplit("\nimported ", 1)
    assert "Usage:" in said
    assert set(imported.split()).isdisjoint(HEAVY)


@pytest.mark.parametrize(("word", "home"), [("chat", "apps.jobs.worker"), ("memories", "apps.memory_api.memories")])
def test_what_needs_no_model_waits_for_no_client_of_a_provider(word: str, home: str):
    done = subprocess.run([sys.executable, "-c", AFTER, word, "--help"], capture_output=True, text=True, check=True)
    imported = set(done.stdout.rsplit("\nimported ", 1)[1].split())
    assert home in imported
    assert imported.isdisjoint({"openai", "langchain_openai", "torch", "fastembed", "evals"})


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_the_command_says_of_itself_first(name: str):
    command = load_command(name)
    first, *_ = (command.help or "").split("\n\n")
    assert (command.name, first) == (name, COMMANDS[name].help)


def test_measurements_that_are_not_installed_are_missed_in_one_line(monkeypatch: pytest.MonkeyPatch):
    def none(**_: str) -> list[EntryPoint]:
        return []

    monkeypatch.setattr("apps.additions.entry_points", none)
    done = CliRunner().invoke(app, ["eval", "memory", "--split", "dev"])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.endswith("In a copy of the source 'pip install -e evals' adds them.\n")
    assert "Usage:" in CliRunner().invoke(app, ["--help"]).stdout


def test_a_word_that_is_none_is_answered_with_the_nearest():
    done = CliRunner().invoke(app, ["memorise"])
    assert done.exit_code == 2
    assert "Did you mean 'memories'" in done.stderr


def test_the_version_is_the_one_of_the_package():
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"brain {version('brain')}\n")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("brain mem", ["memories"]),
        ("brain memories sh", ["show"]),
        ("brain memories resolve ID ", ["keep", "merge", "discard"]),
        ("brain upkeep run --only com", ["compress"]),
        ("brain keys create --scope mem", ["memory:read", "memory:write"]),
        ("brain jobs list --status de", ["dead"]),
        ("brain recall tea --lane su", ["summary"]),
        ("brain chat --time-zone Asia/Shan", ["Asia/Shanghai"]),
    ],
)
def test_the_shell_completes_commands_and_values(typed: str, offered: list[str]):
    environment = {"_BRAIN_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = CliRunner(env=environment).invoke(app, prog_name="brain")
    assert (done.exit_code, done.stdout.split()) == (0, offered)
