"""``brain serve``: Brain for chat clients over HTTP."""

import os
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.options import command
from apps.cli.output import leave_unread, say
from apps.cli.runner import load_settings


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """Where to listen."""

    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="The port; BRAIN_PORT or 8123 otherwise.")] = None
    host: Annotated[str, typer.Option(help="The address to listen at; BRAIN_HOST or 127.0.0.1 otherwise.")] = ""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "serve")
    def serve(options: ServeOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Serve chat clients over HTTP until SIGTERM or Ctrl-C, finishing the answers at hand.

        BRAIN_HOST and BRAIN_PORT say where, unless --host and --port do; BRAIN_AUTH_* who may call.
        """
        from apps.servers.serve import run_server  # takes a second to import, which --help need not wait for
        from skills.loading import load_skills

        typed = {"BRAIN_PORT": str(options.port or ""), "BRAIN_HOST": options.host}
        os.environ.update({name: value for name, value in typed.items() if value})  # the server reads them again
        settings = load_settings()
        load_skills(settings)
        where = f"http://{_named(settings.host)}:{settings.port}"
        told = f"Brain serves at {where}/v1 (Ctrl-C ends it).\nIts panel: {where}/panel"
        run_server(settings, lambda: _announce(told))


def _announce(told: str) -> None:
    """Say where it serves, to whoever reads it."""
    try:
        say(told)
    except BrokenPipeError:
        leave_unread(sys.stdout)


def _named(host: str) -> str:
    """As it stands in a URL."""
    return f"[{host}]" if ":" in host else host
