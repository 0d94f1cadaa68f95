"""Whatever goes wrong at the command line is told in one coded line, never in a traceback."""

import pytest
import typer
from typer.testing import CliRunner

from apps.cli import app
from apps.cli.entry_point import EntryPoint, error_line
from memory.errors import BrainError, bad_request


def a_failing_app(error: BaseException) -> typer.Typer:
    failing = typer.Typer(cls=EntryPoint)

    @failing.command()
    def fail() -> None:  # pyright: ignore[reportUnusedFunction]
        raise error

    @failing.command()
    def other() -> None: ...  # pyright: ignore[reportUnusedFunction]

    return failing


def test_an_error_of_ours_is_one_line_on_stderr_and_exit_code_1():
    result = CliRunner().invoke(a_failing_app(bad_request("Too long.", "Say less.")), ["fail"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "E_BAD_REQUEST: Too long. Say less.\n"


def test_help_shows_a_flag_as_a_flag():
    shown = CliRunner().invoke(a_failing_app(bad_request("Too long.")), ["fail", "--help"]).stdout
    assert "--help" in shown
    assert "<bool>" not in shown


def test_an_unforeseen_error_is_named_without_its_text():
    result = CliRunner().invoke(a_failing_app(ZeroDivisionError("secret")), ["fail"])
    assert result.exit_code == 1
    assert result.stderr.startswith("E_INTERNAL: ")
    assert "ZeroDivisionError" in result.stderr
    assert "secret" not in result.stderr
    assert "Traceback" not in result.stderr


def test_ctrl_c_ends_with_130_and_says_nothing():
    result = CliRunner().invoke(a_failing_app(KeyboardInterrupt()), ["fail"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["recall"],
        ["recall", "x", "--limit", "0"],
        ["recall", "x", "--limit", "201"],
        ["recall", "x", "--no-such"],
    ],
)
def test_a_command_line_that_makes_no_sense_exits_with_2_and_one_coded_line(arguments: list[str]):
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("E_BAD_REQUEST: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["nonsense"], "brain"),
        (["memories", "restore"], "brain memories restore"),
        (["recall", "x", "--no"], "brain recall"),
    ],
)
def test_what_is_typed_wrongly_leads_to_the_help_of_its_own_command(arguments: list[str], command: str):
    assert (
        CliRunner()
        .invoke(app, arguments, prog_name="brain")
        .stderr.endswith(f"'{command} --help' lists what there is.\n")
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", " "],
        ["recall", "caf\udce9"],
        ["recall", "x", "--as-of", "some day"],
        ["recall", "x", "--policy", "no-such"],
        ["recall", "x", "--lane", "no-such"],
        ["recall", "x", "--time-zone", "Mars/Olympus"],
        ["recall", "x", "--user", "x" * 600],
        ["recall", "x", "--user", "caf\udce9"],
        ["recall", "x", "--time-from", "2024-02-01", "--time-to", "2024-01-01"],
        ["memories", "show", "not an id"],
        ["operations", "show", "42"],
        ["chat", "--user", "", "--message", "hi"],
    ],
)
def test_what_makes_no_sense_to_brain_is_refused_before_a_database_is_reached(arguments: list[str]):
    nowhere = {"BRAIN_DATABASE_URL": "postgresql://u:p@127.0.0.1:9/x"}
    result = CliRunner(env=nowhere).invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("E_BAD_REQUEST: ")
    assert result.stderr.count("\n") == 1


def test_help_is_no_error():
    result = CliRunner().invoke(app, ["recall", "--help"])
    assert result.exit_code == 0
    assert "--as-of" in result.stdout


def test_what_is_told_cannot_drive_the_terminal():
    assert (
        error_line(BrainError("E_NOT_FOUND", "No \x1b[2J\x07memory\nhere."))
        == "E_NOT_FOUND: No \ufffd[2J\ufffdmemory here."
    )
