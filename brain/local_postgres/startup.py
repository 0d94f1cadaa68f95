"""The ground a process stands on: a database that runs and is migrated."""

import asyncio
from collections.abc import Awaitable, Callable

from brain.local_postgres.server import Embedded
from brain.settings import Settings
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses


async def where_is(settings: Settings) -> Addresses:
    """Both logins of the configured database; without one, the embedded database is started."""
    owner = settings.database_url or await asyncio.to_thread(Embedded(settings.data_dir).start)
    return addresses(owner, settings.app_database_url)


async def ready(settings: Settings) -> Addresses:
    """Started and migrated. Any number of processes may ask at once; each waits for the others, within bounds."""
    where = await where_is(settings)
    await migrate(where)
    return where


def app_url(settings: Settings) -> Callable[[], Awaitable[str]]:
    """The application's login, for a pool that asks before it makes a connection.

    The first call migrates. Each later one makes sure that the embedded server runs, so that one which died under a
    conversation is started again, perhaps on another port.
    """
    migrated = False

    async def url() -> str:
        nonlocal migrated
        where = await (where_is(settings) if migrated else ready(settings))
        migrated = True
        return where.app

    return url
