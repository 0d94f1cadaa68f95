"""Write living rows anew, a few at a time: the same row at another place, as an update that changes nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed, Identifier

from memory.postgres.scrubbing.pages import named

_PAGES_AT_ONCE = 8
_LONG_ROWS_AT_ONCE = 8
_FIRST_COLUMN = "select attname from pg_attribute where attrelid = %s::regclass and attnum = 1"
_LONG_COLUMNS = """
select attname, typnamespace::regnamespace::text, typname
from pg_attribute join pg_type t on t.oid = atttypid
where attrelid = %s::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attlen = -1
    and attstorage <> 'p'
order by attnum"""
_CHUNKS = "select distinct chunk_id from {} where ctid >= %s::tid and ctid < %s::tid"
_OWNERS = "select ctid::text from {} where pg_column_toast_chunk_id({}) = any(%s::oid[])"
# A row that a turn is writing is passed over: it will have another place by itself, or the next round finds it.
_REWRITE_PAGES = """
update {table} set {column} = {value} where ctid = any (array(
    select ctid from {table} where ctid >= %s::tid and ctid < %s::tid for no key update skip locked))"""
_REWRITE_ROWS = """
update {table} set {column} = {value} where ctid = any (array(
    select ctid from {table} where ctid = any(%s::tid[]) for no key update skip locked))"""


@dataclass(frozen=True)
class LongColumn:
    """A column whose long values have a table of their own."""

    name: str
    type_schema: str
    type: str

    @property
    def copied(self) -> Composed:
        """The same value, made anew so that it is also stored anew."""
        if self.type in {"text", "bytea"}:
            return SQL("{} || ''").format(Identifier(self.name))
        return SQL("{}::text::{}").format(Identifier(self.name), Identifier(self.type_schema, self.type))


async def long_columns(connection: AsyncConnection[Any], table: str) -> Sequence[LongColumn]:
    """The columns of a table whose values may be long."""
    rows = await (await connection.execute(_LONG_COLUMNS, (table,))).fetchall()
    return [LongColumn(*row) for row in rows]


async def rewrite_rows(connection: AsyncConnection[Any], table: str, blocks: Iterable[int]) -> int:
    """Write anew what lives on these pages; returns how many rows."""
    row = await (await connection.execute(_FIRST_COLUMN, (table,))).fetchone()
    assert row is not None
    column = Identifier(row[0])
    statement = SQL(_REWRITE_PAGES).format(table=named(table), column=column, value=column)
    rewritten = 0
    for first, end in _ranges(blocks):
        rewritten += (await connection.execute(statement, (f"({first},0)", f"({end},0)"))).rowcount
    return rewritten


async def rewrite_long_values(
    connection: AsyncConnection[Any], table: str, column: LongColumn, toast: str, blocks: Iterable[int]
) -> int:
    """Write anew the values of a column of which a part lies on these pages of ``toast``; returns how many."""
    chunks: set[int] = set()
    for first, end in _ranges(blocks):
        found = await connection.execute(SQL(_CHUNKS).format(named(toast)), (f"({first},0)", f"({end},0)"))
        chunks |= {int(row[0]) for row in await found.fetchall()}
    if not chunks:
        return 0
    owners = SQL(_OWNERS).format(named(table), Identifier(column.name))
    places = [str(row[0]) for row in await (await connection.execute(owners, (sorted(chunks),))).fetchall()]
    statement = SQL(_REWRITE_ROWS).format(table=named(table), column=Identifier(column.name), value=column.copied)
    rewritten = 0
    for start in range(0, len(places), _LONG_ROWS_AT_ONCE):
        batch = places[start : start + _LONG_ROWS_AT_ONCE]
        rewritten += (await connection.execute(statement, (batch,))).rowcount
    return rewritten


def _ranges(blocks: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbouring pages together, a few at most: each first page and the one after the last."""
    found: list[tuple[int, int]] = []
    for block in sorted(blocks):
        if found and found[-1][1] == block and block - found[-1][0] < _PAGES_AT_ONCE:
            found[-1] = (found[-1][0], block + 1)
        else:
            found.append((block, block + 1))
    return found
