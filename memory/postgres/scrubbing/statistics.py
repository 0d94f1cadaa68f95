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


async def clear_statistics(connection: AsyncConnection[Any], schemas: list[str]) -> bool:
    """Forget samples of columns that are not to be sampled, and rewrite the planner's table; whether that was done.

    The table is small and rewritten under a lock, for which nobody is made to wait longer than the lock is asked for.
    """
    for column in await (await connection.execute(_UNSAMPLED, (schemas,))).fetchall():
        await connection.execute(_CLEAR, column)
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
