"""The doctor's look at the database: reachable, new enough, migrated, safe, and keeping up with its queue."""

import asyncio
from collections.abc import Awaitable

from psycopg import AsyncConnection
from psycopg.errors import InvalidSchemaName, OperationalError, UndefinedTable

from apps.doctor.findings import Finding, broken_finding, degraded_finding, ok_finding
from apps.doctor.surroundings import owner_finding, pooler_finding, replica_finding
from apps.views.health import queue_health
from brain.local_postgres.startup import pool_limits, resolve_addresses
from brain.settings import Settings, strip_credentials
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.failures import translate_errors
from memory.postgres.migrate import pending_migrations
from memory.postgres.roles import Addresses, is_login_refusal
from memory.postgres.server import require_least_privilege, require_row_security, require_server
from memory.service_alerts import QueueHealth

SECONDS = 10.0
_START = "Start the server, or correct BRAIN_DATABASE_URL."
_LOG_IN = "Run 'brain migrate'; a pooler in between has to know the role as well."
OLD_JOB = 60.0
"""Seconds after which a waiting job means that nobody works, or not fast enough."""


async def database_findings(settings: Settings) -> list[Finding]:
    """The server first; without it nothing else can be looked at."""
    try:
        async with asyncio.timeout(SECONDS):
            where = await resolve_addresses(settings)
            with translate_errors():
                return await _check_database(settings, where)
    except BrainError as error:
        return [broken_finding("database", error.message, _START if error.is_retryable else error.hint)]
    except TimeoutError:
        return [broken_finding("database", f"no answer within {SECONDS:.0f} seconds", _START)]


async def _check_database(settings: Settings, where: Addresses) -> list[Finding]:
    async with await AsyncConnection.connect(where.owner, autocommit=True, connect_timeout=5) as owner:
        server = await _run_check("database", require_server(owner), await _describe_server(owner, settings, where))
        if server.state == "broken":
            return [server]
        if in_the_way := await owner_finding(owner, where):
            return [server, in_the_way]
        schema = await _check_schema(owner)
        if schema.state != "ok":
            return [server, schema]
        forced = await _run_check(
            "isolation", require_row_security(owner), "row-level security is forced on every table"
        )
        role = await _check_role(where) if forced.state == "ok" else forced
        if role.state == "broken":
            return [server, schema, role]
        pooler = await pooler_finding(settings, owner, where)
    replica = await replica_finding(where)
    found = [server, schema, role, *(each for each in (pooler, replica) if each)]
    return found if pooler and pooler.state == "broken" else [*found, await _check_queue(settings, where)]


async def _describe_server(owner: AsyncConnection, settings: Settings, where: Addresses) -> str:
    place = strip_credentials(where.owner) if settings.database_url else f"embedded in {settings.data_dir}"
    cursor = await owner.execute("select extversion from pg_extension where extname = 'vector'")
    row = await cursor.fetchone()
    vector = f"pgvector {row[0]}" if row else "pgvector not yet installed"
    return f"PostgreSQL {owner.info.server_version // 10_000}, {vector}, {place}"


async def _check_schema(owner: AsyncConnection) -> Finding:
    try:
        missing = await pending_migrations(owner)
    except (UndefinedTable, InvalidSchemaName):
        return degraded_finding(
            "schema", "nothing is migrated yet", "The first command does it, or run 'brain migrate'."
        )
    except BrainError as error:
        return broken_finding("schema", error.message, error.hint)
    if missing:
        return degraded_finding("schema", f"{len(missing)} migrations are missing", "Run 'brain migrate'.")
    return ok_finding("schema", "up to date")


async def _check_role(where: Addresses) -> Finding:
    """Log in as the application does."""
    try:
        async with await AsyncConnection.connect(where.app, autocommit=True, connect_timeout=5) as connection:
            await require_least_privilege(connection)
    except OperationalError as error:
        if not is_login_refusal(error):
            raise
        return broken_finding("isolation", f"the role {where.app_role} cannot log in", _LOG_IN)
    except BrainError as error:
        return broken_finding("isolation", error.message, error.hint)
    return ok_finding("isolation", f"row-level security is forced, and {where.app_role} cannot bypass it")


async def _check_queue(settings: Settings, where: Addresses) -> Finding:
    async with Database(where.app, pool_limits(settings, connections=1)) as database:
        return queue_finding(await queue_health(database))


def queue_finding(health: QueueHealth) -> Finding:
    """Work that waits too long and work that was given up are told; silence would lose memories."""
    state = f"{health.waiting} waiting, {health.running} running, {health.dead_letters} dead letters"
    if health.waiting and health.oldest_seconds > OLD_JOB:
        who = "Start 'brain worker'." if not health.workers else "Start another 'brain worker'."
        return degraded_finding("queue", f"{state}; the oldest job waits for {health.oldest_seconds:.0f} s", who)
    if health.dead_letters:
        return degraded_finding("queue", state, "'brain jobs dead' tells why and what to do; the turns are in the log.")
    return ok_finding("queue", f"{state}, {health.workers} workers")


async def _run_check(name: str, check: Awaitable[None], otherwise: str) -> Finding:
    try:
        await check
    except BrainError as error:
        return broken_finding(name, error.message, error.hint)
    return ok_finding(name, otherwise)
