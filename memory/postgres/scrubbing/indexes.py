"""Build the indexes that hold words anew, beside live turns: a new file takes the place of the old one."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL

from memory.postgres.scrubbing.pages import named

_WITH_WORDS = """
select distinct n.nspname || '.' || c.relname from pg_index i
join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = i.indexrelid join pg_type t on t.oid = a.atttypid
where i.indrelid = any(%s::regclass[]) and i.indisvalid
    and t.typname in ('text', 'varchar', 'bpchar', 'name', '_text', '_varchar', 'json', 'jsonb', 'bytea')
order by 1"""
# What a rebuilding that was killed leaves behind. Nobody else builds an index of these tables meanwhile.
_HALF_BUILT = """
select n.nspname || '.' || c.relname from pg_index i
join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
where i.indrelid = any(%s::regclass[]) and not i.indisvalid and c.relname ~ '_cc(new|old)\\d*$'"""


async def rebuild_indexes(connection: AsyncConnection[Any], tables: list[str]) -> int:
    """Rebuild each index over words of these tables; returns how many."""
    for name in await _names(connection, _HALF_BUILT, tables):
        await connection.execute(SQL("drop index concurrently {}").format(named(name)))
    indexes = await _names(connection, _WITH_WORDS, tables)
    for name in indexes:
        await connection.execute(SQL("reindex index concurrently {}").format(named(name)))
    return len(indexes)


async def _names(connection: AsyncConnection[Any], query: str, tables: list[str]) -> list[str]:
    return [str(row[0]) for row in await (await connection.execute(query.encode(), (tables,))).fetchall()]
