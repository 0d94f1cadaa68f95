"""The door of the command line: whatever goes wrong leaves as one line on stderr and an exit code, no traceback."""

import sys
from typing import Any

import structlog
import typer
from typer.core import TyperGroup

from apps.cli.flag_help import hide_flag_types
from apps.cli.logs import log_to_stderr
from apps.cli.output import finish_log, open_missing_streams, printable, use_utf8
from brain.file_errors import passing_error
from memory.errors import BrainError, bad_request

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
"""Exit codes: it did not work; the command line itself makes no sense; Ctrl-C."""

log = structlog.get_logger(__name__)


class EntryPoint(TyperGroup):
    """The command group through which every run enters and leaves."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command and end the process with its exit code."""
        code = self._code(*args, **kwargs)
        finish_log()
        sys.exit(code)

    def _code(self, *args: Any, **kwargs: Any) -> int:
        open_missing_streams()
        use_utf8()
        hide_flag_types()
        log_to_stderr("warning")
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except KeyboardInterrupt:
            return INTERRUPTED
        except typer.Abort:
            return FAILED
        except Exception as error:
            return print_error(error)
        return code if isinstance(code, int) else 0


def print_error(error: Exception) -> int:
    """Say what went wrong in one line; the exit code that belongs to it."""
    print(error_line(error), file=sys.stderr)
    return MISUSED if isinstance(error, typer.TyperException) else FAILED


def error_line(error: Exception) -> str:
    """``E_CODE: what. hint`` of any error, on one line and free of control characters."""
    return " ".join(printable(str(to_brain_error(error))).split())


def to_brain_error(error: Exception) -> BrainError:
    """The error in our own words; what nobody foresaw is named by its type, and its trace goes to the log."""
    match error:
        case BrainError():
            return error
        case typer.TyperException():
            said = error.format_message().strip().rstrip(".") or "A command is missing"
            return bad_request(f"{said}.", f"'{_command_of(error)} --help' lists what there is.")
        case _ if (passing := passing_error(error)) is not None:
            return passing
        case _:
            log.debug("unforeseen", exc_info=error)
            return BrainError(
                "E_INTERNAL",
                f"Something unforeseen happened ({type(error).__name__}).",
                "BRAIN_LOG_LEVEL=debug shows where.",
            )


def _command_of(error: typer.TyperException) -> str:
    """The command that was typed wrongly, as far as it was understood."""
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context is not None else "brain"
