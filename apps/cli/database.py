"""``brain migrate`` and ``brain db``: the ground that everything stands on."""

import asyncio
from dataclasses import dataclass

import typer

from apps.cli.options import AsJson, NoOptions, command
from apps.cli.output import emit, say
from apps.cli.runner import load_settings
from brain.cells import answers_of, ask_each, require_answers, settings_by_cell
from brain.local_postgres.server import EmbeddedPostgres
from brain.local_postgres.startup import resolve_addresses
from brain.settings import Settings, strip_credentials
from brain.settings_cells import HOME
from memory.postgres.migrate import MigrationResult, migrate
from memory.postgres.roles import Addresses

db = typer.Typer(no_args_is_help=True, help="The embedded database.")


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """How to print the answer."""

    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command that stands by itself."""

    @command(app, "migrate")
    def migrate_(options: ReportOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Bring the database to what this Brain needs, and restore lost roles and grants; again changes nothing."""
        asked = asyncio.run(ask_each(settings_by_cell(load_settings()), _migrate))
        for cell, (where, done) in answers_of(asked).items():
            if options.json:
                emit({"database": strip_credentials(where.owner), "applied": done.applied, "restored": done.restored})
                continue
            lines = [*(f"applied {name}" for name in done.applied), *(f"restored {what}" for what in done.restored)]
            lines = lines or ["Nothing to apply: the database is up to date."]
            say("\n".join(lines if cell == HOME else (f"{cell}: {line}" for line in lines)))
        require_answers(asked)


@command(db, "start")
def start(options: NoOptions) -> None:
    """Start the embedded database if it is not running."""
    say(f"Running at {strip_credentials(_embedded_server().start())}.")


@command(db, "stop")
def stop(options: NoOptions) -> None:
    """Stop the embedded database, letting it finish writing."""
    say("Stopped." if _embedded_server().stop() else "It was not running.")


@command(db, "status")
def status(options: ReportOptions) -> None:
    """Tell whether the embedded database is running, and where its files are."""
    settings, server = load_settings(), _embedded_server()
    running = server.is_running()
    if options.json:
        emit({"running": running, "home": str(server.home), "used": settings.database_url is None})
        return
    say(f"{'Running' if running else 'Not running'}, in {server.home}.")
    if settings.database_url:
        say(f"BRAIN_DATABASE_URL points at {strip_credentials(settings.database_url)} instead.")


@command(db, "url")
def url(options: NoOptions) -> None:
    """Print the owner's address with its password, for psql and backups; starts the embedded database if needed."""
    print(asyncio.run(resolve_addresses(load_settings())).owner)


def _embedded_server() -> EmbeddedPostgres:
    settings = load_settings()
    return EmbeddedPostgres(settings.data_dir, patience=settings.database_patience)


async def _migrate(settings: Settings) -> tuple[Addresses, MigrationResult]:
    where = await resolve_addresses(settings)
    return where, await migrate(where)
