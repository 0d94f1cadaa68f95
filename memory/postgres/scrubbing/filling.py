"""Fill the free space of a table with rows that say nothing, for as long as a transaction is open."""

import struct
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL

from memory.postgres.scrubbing.filler import Filler
from memory.postgres.scrubbing.pages import PAGE_BYTES, count_pages, named

_LARGEST_ROW_BYTES = 8160
"""With one line pointer it fills an empty page to the last four bytes."""
_FALLING_ROW_BYTES = (_LARGEST_ROW_BYTES, 4096, 2048, 1024, 512, 256)
_TRIAL_LETTERS = 200
_FEWEST_LETTERS = 0
_ALIGNMENT = 8
_BATCH_BYTES = 1 << 20
_CHUNK_LETTERS = 1996
"""Of a long value in its own table: as many letters as PostgreSQL puts into one row there."""
_FITTING_LETTERS = (644, 644, 652)
"""Remainders that with three whole chunks fill an empty page of long values to the last byte."""
_FALLING_REMAINDERS = (1500, 1000, 600, 300, 100)
_LONG_VALUE_CHUNKS = 64


@asynccontextmanager
async def open_filling(connection: AsyncConnection[Any], table: str) -> AsyncGenerator[None]:
    """A transaction whose rows stay in the table's own pages up to a whole page, and vanish at its end.

    It keeps VACUUM away from the table and nobody else.
    """
    async with connection.transaction(force_rollback=True):
        await connection.execute(SQL("alter table {} set (toast_tuple_target = 8160)").format(named(table)))
        yield


async def fill_holes(connection: AsyncConnection[Any], filler: Filler) -> None:
    """Leave no page of the table room for a further row."""
    base = await _measure_row(connection, filler)
    for size in (*(size for size in _FALLING_ROW_BYTES if size > base), base):
        await _insert_until_growth(connection, filler, filler.table, size, [_letters_of(size, base)])


async def fill_empty_pages(connection: AsyncConnection[Any], filler: Filler) -> None:
    """Give each empty page one row that covers it."""
    base = await _measure_row(connection, filler)
    letters = [_letters_of(_LARGEST_ROW_BYTES, base)]
    await _insert_until_growth(connection, filler, filler.table, _LARGEST_ROW_BYTES, letters)


async def fill_long_holes(connection: AsyncConnection[Any], filler: Filler, toast: str, pages: int) -> None:
    """The same among long values: each remainder needs a whole chunk before it, so that their number is bounded."""
    whole = _LONG_VALUE_CHUNKS * _CHUNK_LETTERS
    await _insert_until_growth(connection, filler, toast, whole, [whole])
    for remainder in _FALLING_REMAINDERS:
        await connection.execute(filler.insert(pages, _CHUNK_LETTERS + remainder))


async def fill_empty_long_pages(connection: AsyncConnection[Any], filler: Filler, toast: str, pages: int) -> None:
    """Cover each empty page among long values."""
    letters = [_CHUNK_LETTERS + remainder for remainder in _FITTING_LETTERS]
    for _ in range(pages + 1):
        for length in letters:
            await connection.execute(filler.insert(1, length))


async def _insert_until_growth(
    connection: AsyncConnection[Any], filler: Filler, relation: str, size: int, letters: Sequence[int]
) -> None:
    rows = max(1, min(_BATCH_BYTES, PAGE_BYTES * 8) // size)
    before = await count_pages(connection, relation)
    while await count_pages(connection, relation) == before:
        for length in letters:
            await connection.execute(filler.insert(rows, length))


async def _measure_row(connection: AsyncConnection[Any], filler: Filler) -> int:
    """The bytes that a row with an empty pad takes, as its line pointer tells, to the next multiple of eight."""
    found = await (await connection.execute(filler.insert(1, _TRIAL_LETTERS))).fetchone()
    assert found is not None
    block, place = (int(part) for part in str(found[0]).strip("()").split(","))
    query = "select pg_temp.raw_page(%s, 'main', %s)"
    row = await (await connection.execute(query, (filler.table, block))).fetchone()
    assert row is not None
    pointer = struct.unpack_from("<I", row[0], 24 + 4 * (place - 1))[0]
    length = pointer >> 17
    return -(-length // _ALIGNMENT) * _ALIGNMENT - _TRIAL_LETTERS


def _letters_of(size: int, base: int) -> int:
    return max(_FEWEST_LETTERS, size - base)
