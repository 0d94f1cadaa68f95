"""After rows are erased, take their bytes out of the live data folder and the write-ahead log, beside live turns."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from memory.errors import config_error, timeout_error
from memory.postgres.failures import translate_errors
from memory.postgres.scrubbing.filler import prepare_noise
from memory.postgres.scrubbing.indexes import rebuild_indexes
from memory.postgres.scrubbing.pages import prepare_raw_pages
from memory.postgres.scrubbing.statistics import clear_statistics, rewrite_statistics
from memory.postgres.scrubbing.table import Sessions, TableReport, scrub_table
from memory.postgres.scrubbing.write_ahead_log import discard_segments
from memory.postgres.server import SCHEMAS

_LOCK = 0x7363727562  # "scrub": one number that all scrubbing processes of a database agree on
_MIN_SERVER = 180_000
_POLL_SECONDS = 0.1
# Triggers and foreign keys do not see rows that say the same at another place, nor filler.
_SESSION = """
set session_replication_role = replica; set search_path = ''; set lock_timeout = '30s'; set synchronous_commit = on;
set brain.tenant_id = '00000000-0000-0000-0000-000000000000'"""
_NOW = "select pg_current_xact_id()::xid::text"
# Rows that a transaction may still see are not cleaned away; autovacuum's do not count, unless it also samples.
_OLDER = """
select count(*) from (
    select backend_xmin as held from pg_stat_activity
    where pid <> pg_backend_pid() and query !~ '^autovacuum: VACUUM (?!ANALYZE)'
        and (datid is null or datname = current_database())
    union all select backend_xid from pg_stat_activity where pid <> pg_backend_pid()
    union all select xmin from pg_replication_slots union all select transaction from pg_prepared_xacts
) holders where age(held) >= age(%(erased)s::xid)"""


@dataclass(frozen=True)
class ScrubReport:
    """What was done, and what may still hold old bytes."""

    tables: Sequence[TableReport]
    indexes_rebuilt: int
    statistics_rewritten: bool
    segments_left: int

    @property
    def is_complete(self) -> bool:
        """Whether the data folder and the log hold nothing of what was erased before the scrub began."""
        return self.statistics_rewritten and not self.segments_left and not any(t.pages_left for t in self.tables)


async def scrub(owner_url: str, tables: Sequence[str], wait: float = 60.0) -> ScrubReport:
    """Overwrite what rows erased before this call left in these tables (``schema.name``), their indexes and the log.

    It may be killed at any point and called again. Holds no lock that a turn waits for longer than milliseconds. One
    scrub of a database at a time. Raises ``E_CONFIG`` where the owner is no superuser or the server is older than 18,
    ``E_DEP_TIMEOUT`` when a transaction that may still see the rows lasts longer than ``wait`` seconds, or another
    scrub does.
    """
    with translate_errors():
        async with _sessions(owner_url) as sessions, _hold_lock(worker := sessions.worker, wait):
            await clear_statistics(worker, list(SCHEMAS))
            await _wait_for_readers(worker, wait)
            reports = [await scrub_table(sessions, table) for table in tables]
            rebuilt = await rebuild_indexes(worker, list(tables))
            rewritten = await rewrite_statistics(worker)
            return ScrubReport(reports, rebuilt, rewritten, await discard_segments(worker))


@asynccontextmanager
async def _connect(owner_url: str) -> AsyncGenerator[AsyncConnection[Any]]:
    async with AsyncExitStack() as stack:
        connection = await AsyncConnection.connect(
            owner_url, autocommit=True, connect_timeout=10, application_name="brain scrub"
        )
        await stack.enter_async_context(connection)
        await _require_power(connection)
        await connection.execute(_SESSION)
        await prepare_raw_pages(connection)
        await prepare_noise(connection)
        yield connection


@asynccontextmanager
async def _sessions(owner_url: str) -> AsyncGenerator[Sessions]:
    async with _connect(owner_url) as worker, _connect(owner_url) as cover, _connect(owner_url) as seal:
        yield Sessions(worker, cover, seal)


async def _require_power(connection: AsyncConnection[Any]) -> None:
    row = await (await connection.execute("select rolsuper from pg_roles where rolname = current_user")).fetchone()
    if row != (True,) or connection.info.server_version < _MIN_SERVER:
        raise config_error(
            "Erased bytes can be overwritten only by a superuser of PostgreSQL 18 or newer.",
            "Use the embedded database, or rewrite the tables in a maintenance window (VACUUM FULL).",
        )


@asynccontextmanager
async def _hold_lock(connection: AsyncConnection[Any], wait: float) -> AsyncGenerator[None]:
    async with _within(wait, "Another scrub of this database has been running"):
        while await _fetch(connection, "select pg_try_advisory_lock(%(lock)s)", lock=_LOCK) is not True:  # noqa: ASYNC110 - another process
            await asyncio.sleep(_POLL_SECONDS)
    yield


async def _wait_for_readers(connection: AsyncConnection[Any], wait: float) -> None:
    erased = await _fetch(connection, _NOW)
    async with _within(wait, "A transaction that may still see erased rows has lasted"):
        while await _fetch(connection, _OLDER, erased=erased):  # noqa: ASYNC110 - other processes
            await asyncio.sleep(_POLL_SECONDS)


async def _fetch(connection: AsyncConnection[Any], query: str, **params: object) -> object:
    row = await (await connection.execute(query.encode(), params)).fetchone()
    return row[0] if row else None


@asynccontextmanager
async def _within(seconds: float, complaint: str) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise timeout_error(
            f"{complaint} for over {seconds:.0f} seconds.", "Wait for it, or end it, and try again."
        ) from None
