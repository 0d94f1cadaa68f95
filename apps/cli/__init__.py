"""The command line: ``brain``."""

import typer

from apps.cli.commands import Commands

app = typer.Typer(
    cls=Commands, name="brain", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


@app.callback()
def brain() -> None:
    """A chat agent that really remembers."""
