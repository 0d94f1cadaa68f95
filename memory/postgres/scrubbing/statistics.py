"""What the planner has sampled of people's words: clear it, and what it left in its own table."""

import asyncio
from typing import Any

from psycopg import AsyncConnection
from psycopg.errors import LockNotAvailable

_UNSAMPLED = """
select s.schemaname, s.tablename, s.attname from pg_stats s
join pg_attribute a on a.attrelid = format('%%I.%%I', s.schemaname, s.tablename)::regclass and a.attname = s.attname
where a.attstattarget = 0 and s.schemaname = any(%s)"""
_CLEAR = "select pg_clear_attribute_stats(%s, %s, %s, false)"
_TRIES = 40
_PAUSE_SECONDS = 0.25


async def clear_statistics(connection: AsyncConnection[Any], schemas: list[str]) -> None:
    """Forget the samples of columns that are not to be sampled."""
    for column in await (await connection.execute(_UNSAMPLED, (schemas,))).fetchall():
        await connection.execute(_CLEAR, column)


async def rewrite_statistics(connection: AsyncConnection[Any]) -> bool:
    """Write the planner's table anew, without what was cleared; whether that was done.

    The table is small. It is locked meanwhile, and nobody waits longer than 20 ms behind the wish for that lock. What a
    transaction may still see is copied, so that the caller waits for older ones after clearing.
    """
    await connection.execute("set lock_timeout = '20ms'")
    try:
        for _ in range(_TRIES):
            try:
                await connection.execute("vacuum (full) pg_catalog.pg_statistic")
            except LockNotAvailable:
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                return True
        return False
    finally:
        await connection.execute("reset lock_timeout")
