"""The command line: ``brain``."""

from importlib.metadata import version
from typing import Annotated

import typer

from apps.cli.commands import Commands

app = typer.Typer(cls=Commands, name="brain", no_args_is_help=True, pretty_exceptions_enable=False)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"brain {version('brain')}")
        raise typer.Exit


@app.callback()
def brain(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """A chat agent that really remembers."""
