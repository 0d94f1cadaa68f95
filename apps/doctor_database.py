"""The doctor's look at the database: reachable, new enough, migrated, safe, and keeping up with its queue."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from psycopg import AsyncConnection
from psycopg.errors import InvalidSchemaName, OperationalError, UndefinedTable

from apps.findings import Finding, broken, degraded, ok
from brain.local_postgres.startup import where_is
from brain.settings import Settings, without_password
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.failures import translated
from memory.postgres.migrate import pending
from memory.postgres.pools import Limits
from memory.postgres.roles import Addresses, is_about_the_login
from memory.postgres.server import require_forced, require_powerless, require_server

SECONDS = 10.0
_START = "Start the server, or correct BRAIN_DATABASE_URL."
OLD_JOB = 60.0
"""Seconds after which a waiting job means that nobody works, or not fast enough."""


@dataclass(frozen=True)
class QueueHealth:
    """How the work behind the conversation stands; ``oldest_seconds`` is the longest wait."""

    waiting: int
    running: int
    dead_letters: int
    oldest_seconds: float
    workers: int


async def database_findings(settings: Settings) -> list[Finding]:
    """The server first; without it nothing else can be looked at."""
    try:
        async with asyncio.timeout(SECONDS):
            where = await where_is(settings)
            with translated():
                return await _looked_at(settings, where)
    except BrainError as error:
        return [broken("database", error.message, _START if error.retryable else error.hint)]
    except TimeoutError:
        return [broken("database", f"no answer within {SECONDS:.0f} seconds", _START)]


async def _looked_at(settings: Settings, where: Addresses) -> list[Finding]:
    async with await AsyncConnection.connect(where.owner, autocommit=True, connect_timeout=5) as owner:
        server = await _refusable("database", require_server(owner), await _described(owner, settings, where))
        if server.state == "broken":
            return [server]
        schema = await _schema(owner)
        if schema.state != "ok":
            return [server, schema]
        forced = await _refusable("isolation", require_forced(owner), "row-level security is forced on every table")
    role = await _role(where) if forced.state == "ok" else forced
    if role.state == "broken":
        return [server, schema, role]
    return [server, schema, role, await _queue(where)]


async def _described(owner: AsyncConnection, settings: Settings, where: Addresses) -> str:
    place = without_password(where.owner) if settings.database_url else f"embedded in {settings.data_dir}"
    cursor = await owner.execute("select extversion from pg_extension where extname = 'vector'")
    row = await cursor.fetchone()
    vector = f"pgvector {row[0]}" if row else "pgvector not yet installed"
    return f"PostgreSQL {owner.info.server_version // 10_000}, {vector}, {place}"


async def _schema(owner: AsyncConnection) -> Finding:
    try:
        missing = await pending(owner)
    except (UndefinedTable, InvalidSchemaName):
        return degraded("schema", "nothing is migrated yet", "The first command does it, or run 'brain migrate'.")
    except BrainError as error:
        return broken("schema", error.message, error.hint)
    if missing:
        return degraded("schema", f"{len(missing)} migrations are missing", "Run 'brain migrate'.")
    return ok("schema", "up to date")


async def _role(where: Addresses) -> Finding:
    """Log in as the application does."""
    try:
        async with await AsyncConnection.connect(where.app, autocommit=True, connect_timeout=5) as connection:
            await require_powerless(connection)
    except OperationalError as error:
        if not is_about_the_login(error):
            raise
        return broken("isolation", f"the role {where.app_role} cannot log in", "Run 'brain migrate'.")
    except BrainError as error:
        return broken("isolation", error.message, error.hint)
    return ok("isolation", f"row-level security is forced, and {where.app_role} cannot bypass it")


async def queue_health(database: Database) -> QueueHealth:
    """How the queue stands now."""
    async with database.unscoped() as session:
        found = await session.fetch_one("queue_health", {}, QueueHealth)
    return found or QueueHealth(waiting=0, running=0, dead_letters=0, oldest_seconds=0.0, workers=0)


async def _queue(where: Addresses) -> Finding:
    async with Database(where.app, Limits(connections=1)) as database:
        return queue_finding(await queue_health(database))


def queue_finding(health: QueueHealth) -> Finding:
    """Work that waits too long and work that was given up are told; silence would lose memories (USERS K12)."""
    state = f"{health.waiting} waiting, {health.running} running, {health.dead_letters} dead letters"
    if health.waiting and health.oldest_seconds > OLD_JOB:
        who = "Start 'brain worker'." if not health.workers else "Start another 'brain worker'."
        return degraded("queue", f"{state}; the oldest job waits for {health.oldest_seconds:.0f} s", who)
    if health.dead_letters:
        return degraded("queue", state, "'brain jobs dead' tells why and what to do; the turns are in the log.")
    return ok("queue", f"{state}, {health.workers} workers")


async def _refusable(name: str, check: Awaitable[None], otherwise: str) -> Finding:
    try:
        await check
    except BrainError as error:
        return broken(name, error.message, error.hint)
    return ok(name, otherwise)
