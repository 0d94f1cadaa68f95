"""Fill the free space of a table with rows that say nothing, for as long as a transaction is open."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.sql import SQL

from memory.postgres.scrubbing.filler import Filler
from memory.postgres.scrubbing.pages import PageState, count_pages, named

_LARGEST_ROW_BYTES = 8160
UNREACHABLE_BYTES = 4
"""What the largest row leaves of an empty page."""
_FALLING_ROW_BYTES = (2016, 1024, 512, 256)
"""PostgreSQL moves a long value of a larger row out of its table."""
_TRIAL_LETTERS = 200
_ALIGNMENT = 8
_FREE_SPACE_STEP = 32
"""The map of free space tells a page's room in steps of this many bytes."""
_BATCH_BYTES = 1 << 16
_CHUNK_LETTERS = 1996
"""Of a long value in its own table: as many letters as PostgreSQL puts into one row there."""
_CHUNK_HEAD_BYTES = 40
"""What a row among long values takes beside the letters, with its line pointer."""
_FITTING_LETTERS = (644, 644, 652)
"""Remainders that with three whole chunks fill an empty page of long values to the last byte."""
_LEAST_REMAINDER = 128
_LONG_VALUE_CHUNKS = 64
_KEEP_INLINE: LiteralString = "alter table {} set (toast_tuple_target = 8160)"
_MOVE_OUT: LiteralString = "alter table {} set (toast_tuple_target = 2032)"


async def measure_row(connection: AsyncConnection[Any], filler: Filler) -> int:
    """The bytes that a row with an empty pad takes, as its line pointer tells, to the next multiple of eight.

    The trial's place is free for others once its transaction is over and the table vacuumed.
    """
    found = await (await connection.execute(filler.insert(1, [_TRIAL_LETTERS]))).fetchone()
    assert found is not None
    block, place = (int(part) for part in str(found[0]).strip("()").split(","))
    query = "select pg_temp.raw_page(%s, 'main', %s)"
    row = await (await connection.execute(query, (filler.table, block))).fetchone()
    assert row is not None
    pointer = struct.unpack_from("<I", row[0], 24 + 4 * (place - 1))[0]
    length = pointer >> 17
    return -(-length // _ALIGNMENT) * _ALIGNMENT - _TRIAL_LETTERS


async def cover_empty_pages(connection: AsyncConnection[Any], filler: Filler, base: int) -> None:
    """Give each empty page one row that covers it. Keeps VACUUM away from the table until the transaction ends."""
    await connection.execute(SQL(_KEEP_INLINE).format(named(filler.table)))
    letters = _LARGEST_ROW_BYTES - base
    await _insert_until_growth(connection, filler, filler.table, _BATCH_BYTES // _LARGEST_ROW_BYTES, [letters])


async def cover_empty_long_pages(connection: AsyncConnection[Any], filler: Filler, toast: str) -> None:
    """Cover each empty page among long values. Keeps VACUUM away likewise."""
    await connection.execute(SQL(_MOVE_OUT).format(named(filler.table)))
    letters = [_CHUNK_LETTERS + remainder for remainder in _FITTING_LETTERS]
    await _insert_until_growth(connection, filler, toast, len(letters) * 16, letters)


async def seal_pages(connection: AsyncConnection[Any], filler: Filler, base: int, turn: int) -> None:
    """Leave no page of the table room for a further row, as far as the map of free space tells.

    What is left of a page may suit the very row that should leave it, a little smaller than filler: in every ``turn``
    filler has other sizes, so that another time something else is left.
    """
    sizes = [size - turn * _ALIGNMENT for size in _FALLING_ROW_BYTES]
    for size in (*(size for size in sizes if size > base), base):
        await _insert_until_growth(connection, filler, filler.table, _BATCH_BYTES // size, [size - base])


async def seal_long_pages(
    connection: AsyncConnection[Any], filler: Filler, toast: str, pages: Iterable[PageState]
) -> None:
    """The same among long values: a remainder for each of these pages, since each needs whole chunks before it."""
    await _insert_until_growth(connection, filler, toast, 1, [_LONG_VALUE_CHUNKS * _CHUNK_LETTERS])
    whole = (1 + filler.toast_target // (_CHUNK_LETTERS + _LEAST_REMAINDER)) * _CHUNK_LETTERS
    rooms = sorted((page.upper - page.lower for page in pages), reverse=True)
    remainders = [room // _FREE_SPACE_STEP * _FREE_SPACE_STEP - _CHUNK_HEAD_BYTES for room in rooms]
    letters = [whole + each for each in remainders if _LEAST_REMAINDER <= each < _CHUNK_LETTERS]
    if letters:
        await connection.execute(filler.insert(len(letters), letters))


async def _insert_until_growth(
    connection: AsyncConnection[Any], filler: Filler, relation: str, rows: int, letters: Sequence[int]
) -> None:
    before = await count_pages(connection, relation)
    statement = filler.insert(rows, letters)
    while await count_pages(connection, relation) == before:
        await connection.execute(statement)
