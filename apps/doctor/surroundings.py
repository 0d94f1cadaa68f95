"""The doctor's look at what stands beside the database: a pooler before it, and a copy behind it."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName, OperationalError

from apps.doctor.findings import Finding, broken_finding, degraded_finding, ok_finding
from brain.settings import Settings
from memory.errors import BrainError
from memory.postgres.pooler import is_pooled, require_session
from memory.postgres.roles import Addresses
from memory.postgres.server import require_least_privilege

_WHICH = "select brain.installation_id()::text"
_LAG = "select pg_is_in_recovery(), extract(epoch from now() - pg_last_xact_replay_timestamp())"
_PRIMARY_ALONE = "Correct BRAIN_REPLICA_DATABASE_URL, or start the standby; nothing is lost meanwhile."
_NO_PREPARATION = "Leave BRAIN_DATABASE_PREPARE out, or use PgBouncer 1.21 or newer with max_prepared_statements."


async def owner_finding(owner: AsyncConnection[Any], where: Addresses) -> Finding | None:
    """A pooler in the way of whoever holds locks and settings; None where there is none."""
    try:
        await require_session(owner, where.owner)
    except BrainError as error:
        return broken_finding("pooler", error.message, error.hint)
    return None


async def pooler_finding(settings: Settings, owner: AsyncConnection[Any], where: Addresses) -> Finding | None:
    """How the application goes through a pooler; None where there is none."""
    async with await _connect(where) as connection:
        pooled = await is_pooled(connection)
        if not pooled and settings.direct_database_url is None:
            return None
        if await _ask(connection) != await _ask(owner):
            return broken_finding(
                "pooler",
                "BRAIN_DATABASE_URL and BRAIN_DIRECT_DATABASE_URL lead to different databases",
                "Correct one of them.",
            )
    if not pooled:
        return ok_finding("pooler", "none: BRAIN_DATABASE_URL leads to the server itself")
    if settings.database_prepare and await _mixes_up_statements(where):
        return broken_finding("pooler", "the pooler mixes up prepared statements", _NO_PREPARATION)
    prepared = "prepared" if settings.database_prepare else "not prepared"
    return ok_finding("pooler", f"the application goes through one, statements are {prepared}")


async def replica_finding(where: Addresses) -> Finding | None:
    """Whether the copy is one, and how far behind; None where there is none."""
    if where.replica is None:
        return None
    try:
        copy = where.of_replica.app
        async with await AsyncConnection.connect(copy, autocommit=True, connect_timeout=5) as connection:
            await require_least_privilege(connection)
            row = await (await connection.execute(_LAG)).fetchone()
    except OperationalError:
        return degraded_finding("replica", "it cannot be reached, so the primary answers", _PRIMARY_ALONE)
    except BrainError as error:
        return degraded_finding("replica", error.message, error.hint)
    if row is None or not row[0]:
        return degraded_finding("replica", "the address leads to a database that follows none", _PRIMARY_ALONE)
    return ok_finding("replica", f"it follows; what it applied last is {row[1] or 0:.0f} s old")


async def _mixes_up_statements(where: Addresses) -> bool:
    """Whether two who prepare a statement of the same name are in each other's way."""
    async with await _connect(where, 0) as one, await _connect(where, 0) as another:
        try:
            for connection in (one, another, one):
                await connection.execute(f"select {id(connection)}".encode(), prepare=True)
        except (DuplicatePreparedStatement, InvalidSqlStatementName):
            return True
    return False


async def _connect(where: Addresses, prepare: int | None = None) -> AsyncConnection[Any]:
    return await AsyncConnection.connect(where.app, autocommit=True, connect_timeout=5, prepare_threshold=prepare)


async def _ask(connection: AsyncConnection[Any]) -> str:
    row = await (await connection.execute(_WHICH)).fetchone()
    return str(row[0]) if row else ""
