"""Start-up of a process: a database that runs and is migrated."""

import asyncio
from collections.abc import Awaitable, Callable

from brain.erasure_list import replay_erasures
from brain.local_postgres.server import EmbeddedPostgres, OnStep
from brain.settings import Settings
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import Addresses, addresses


def ignore_step(step: str) -> None:
    """For those who watch no start."""


async def resolve_addresses(settings: Settings, on_step: OnStep = ignore_step) -> Addresses:
    """Both logins of the configured database; without one, the embedded database is started."""
    embedded = EmbeddedPostgres(settings.data_dir, patience=settings.database_patience)
    owner = settings.database_url or await asyncio.to_thread(embedded.start, on_step)
    return addresses(
        owner,
        settings.app_database_url,
        direct=settings.direct_database_url,
        replica=settings.replica_database_url,
    )


def pool_limits(settings: Settings, connections: int | None = None, statement: float | None = None) -> PoolLimits:
    """How many connections a pool holds, how long a statement may take, and whether statements are prepared."""
    return PoolLimits(
        connections=connections or settings.database_connections,
        statement=statement or settings.database_timeout,
        prepare=settings.database_prepare,
    )


async def find_owner_url(settings: Settings) -> str | None:
    """The owner's address of a database that is there; None where only the embedded one could be, and is not yet."""
    if settings.database_url is None and not (settings.data_dir / "postgres" / "cluster").exists():
        return None
    return (await resolve_addresses(settings)).owner


async def prepare_database(settings: Settings, on_step: OnStep = ignore_step) -> Addresses:
    """Started and migrated, and what was erased after this copy of it was made is erased again.

    Any number of processes may ask at once; each waits for the others, within bounds.
    """
    where = await resolve_addresses(settings, on_step)
    on_step("bringing the database up to date")
    await migrate(where)
    await replay_erasures(where.session, settings)
    return where


def app_url(settings: Settings, on_step: OnStep = ignore_step) -> Callable[[], Awaitable[str]]:
    """The application's login, for a pool that asks before it makes a connection.

    The first call migrates. Each later one makes sure that the embedded server runs, so that one which died under a
    conversation is started again, perhaps on another port.
    """
    migrated = False

    async def url() -> str:
        nonlocal migrated
        where = await (resolve_addresses(settings) if migrated else prepare_database(settings, on_step))
        migrated = True
        return where.app

    return url
