"""``brain remembering``: whether what a person says is remembered; stopping that, and going on."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say
from apps.memory_api import remembering as table

remembering = typer.Typer(
    no_args_is_help=True, help="Whether what you say is remembered: stop that for a time or for good."
)


def tell_remembering(found: table.RememberingView) -> str:
    """The state in a sentence, and how it ends."""
    if found.remembers:
        return "What you say is remembered."
    what = "of what you say" if found.stopped_for == "everything" else "of what you say in this conversation"
    until = f"until {found.until:%Y-%m-%d %H:%M} UTC" if found.until else "until you resume it"
    return f"Nothing {what} is remembered, {until}."


def _show(found: table.RememberingView) -> None:
    say(tell_remembering(found))


add_endpoint(remembering, table.read_remembering, _show)
add_endpoint(remembering, table.stop_remembering, _show)
add_endpoint(remembering, table.resume_remembering, _show)
