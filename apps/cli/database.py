"""``brain migrate`` and ``brain db``: the ground that everything stands on."""

import asyncio
from dataclasses import dataclass

import typer

from apps.cli.options import AsJson, Nothing, command
from apps.cli.output import emit, say
from apps.cli.running import configured
from brain.local_postgres.server import Embedded
from brain.local_postgres.startup import where_is
from brain.settings import Settings, without_password
from memory.postgres.migrate import Migrated, migrate
from memory.postgres.roles import Addresses

db = typer.Typer(no_args_is_help=True, help="The embedded database.")


@dataclass(frozen=True, kw_only=True)
class Report:
    """How to print the answer."""

    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command that stands by itself."""

    @command(app, "migrate")
    def migrate_(options: Report) -> None:  # pyright: ignore[reportUnusedFunction]
        """Bring the database to what this Brain needs, and restore lost roles and grants; again changes nothing."""
        where, done = asyncio.run(_migrated(configured()))
        if options.json:
            emit({"database": without_password(where.owner), "applied": done.applied, "restored": done.restored})
            return
        lines = [*(f"applied {name}" for name in done.applied), *(f"restored {what}" for what in done.restored)]
        say("\n".join(lines) or "Nothing to apply: the database is up to date.")


@command(db, "start")
def start(options: Nothing) -> None:
    """Start the embedded database if it is not running."""
    say(f"Running at {without_password(_embedded().start())}.")


@command(db, "stop")
def stop(options: Nothing) -> None:
    """Stop the embedded database, letting it finish writing."""
    say("Stopped." if _embedded().stop() else "It was not running.")


@command(db, "status")
def status(options: Report) -> None:
    """Tell whether the embedded database is running, and where its files are."""
    settings, server = configured(), _embedded()
    running = server.running()
    if options.json:
        emit({"running": running, "home": str(server.home), "used": settings.database_url is None})
        return
    say(f"{'Running' if running else 'Not running'}, in {server.home}.")
    if settings.database_url:
        say(f"BRAIN_DATABASE_URL points at {without_password(settings.database_url)} instead.")


@command(db, "url")
def url(options: Nothing) -> None:
    """Print the owner's address with its password, for psql and backups; starts the embedded database if needed."""
    print(asyncio.run(where_is(configured())).owner)


def _embedded() -> Embedded:
    return Embedded(configured().data_dir)


async def _migrated(settings: Settings) -> tuple[Addresses, Migrated]:
    where = await where_is(settings)
    return where, await migrate(where)
