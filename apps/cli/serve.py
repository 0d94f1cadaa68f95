"""``brain serve``: Brain for chat clients over HTTP."""

import typer

from apps.cli.options import NoOptions, command
from apps.cli.output import say
from apps.cli.runner import load_settings


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "serve")
    def serve(options: NoOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Serve chat clients over HTTP until SIGTERM or Ctrl-C, finishing the answers at hand.

        BRAIN_HOST and BRAIN_PORT say where, BRAIN_AUTH_* who may call.
        """
        from apps.servers.serve import run_server  # takes a second to import, which --help need not wait for
        from skills.loading import load_skills

        settings = load_settings()
        load_skills(settings)
        say(f"Brain serves at http://{settings.host}:{settings.port}/v1 (Ctrl-C ends it).")
        run_server(settings)
