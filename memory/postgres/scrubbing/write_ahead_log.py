"""Let go of the segments of the write-ahead log that held what was erased."""

from typing import Any

from psycopg import AsyncConnection

_SEGMENTS = "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'"
_CURRENT = "select pg_walfile_name(pg_current_wal_insert_lsn())"
# An empty segment is not switched away from, so something is said first.
_SWITCH = "select pg_switch_wal() from pg_logical_emit_message(false, 'brain', '', true)"


async def discard_segments(connection: AsyncConnection[Any]) -> int:
    """Write all pages to their files and remove every segment there is now; returns how many stay.

    A segment that a checkpoint renamed to be written again later still holds what it held: those are written to their
    end. Segments stay where a replica or a backup needs them. Where the server renames instead of removing
    (``wal_recycle``), each that waits to be written counts as one that stays.
    """
    old = await _read_segments(connection)
    newest = max(old, default="")
    while await _read_current(connection) <= newest:
        await connection.execute(_SWITCH)
    await connection.execute("checkpoint")
    renamed = await _read_setting(connection) == "on"
    current = await _read_current(connection)
    return sum(name in old or (renamed and name > current) for name in await _read_segments(connection))


async def _read_setting(connection: AsyncConnection[Any]) -> str:
    row = await (await connection.execute("show wal_recycle")).fetchone()
    assert row is not None
    return str(row[0])


async def _read_segments(connection: AsyncConnection[Any]) -> set[str]:
    return {str(row[0]) for row in await (await connection.execute(_SEGMENTS)).fetchall()}


async def _read_current(connection: AsyncConnection[Any]) -> str:
    row = await (await connection.execute(_CURRENT)).fetchone()
    assert row is not None
    return str(row[0])
