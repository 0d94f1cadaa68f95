"""Pages as they are in memory: which hold old bytes in the hole between their line pointers and their rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import Identifier

PAGE_BYTES = 8192
_RAW_PAGE = """
create or replace function pg_temp.raw_page(relation text, fork text, block bigint) returns bytea
    as '$libdir/pageinspect', 'get_raw_page_fork_1_9' language c strict"""
# At bytes 10, 12 and 14 of a page stand its flags, pd_lower and pd_upper, each of two bytes, least byte first.
_STATES = """
select block, lower, upper, get_byte(page, 10) & 4 = 4,
    upper <= lower or btrim(substring(page from lower + 1 for upper - lower), '\\x00'::bytea) = ''
from unnest(%(blocks)s::bigint[]) block
cross join lateral (select pg_temp.raw_page(%(relation)s, 'main', block)) raw (page)
cross join lateral (select
    get_byte(page, 12) + 256 * get_byte(page, 13), get_byte(page, 14) + 256 * get_byte(page, 15)) hole (lower, upper)"""
_BLOCKS = "select pg_relation_size(%s::regclass) / 8192"
_BATCH_PAGES = 512


@dataclass(frozen=True)
class PageState:
    """A page's hole: the unused bytes from ``lower`` up to ``upper``, and what is known of them and of its rows."""

    block: int
    lower: int
    upper: int
    all_visible: bool
    zeroed: bool

    @property
    def is_new(self) -> bool:
        """Whether the page has never been written."""
        return self.upper == 0

    @property
    def is_empty(self) -> bool:
        """Whether the page holds no row, living or dead."""
        return self.upper == PAGE_BYTES

    @property
    def has_old_bytes(self) -> bool:
        """Whether there may be bytes of erased rows: in its hole, or in rows that were not to be cleaned away yet."""
        return not self.is_new and not (self.all_visible and self.zeroed)


def named(relation: str) -> Identifier:
    """A relation written ``schema.name``, as a statement names it."""
    return Identifier(*relation.split(".", 1))


async def prepare_raw_pages(connection: AsyncConnection[Any]) -> None:
    """Give this session a function that reads a page, without the extension that belongs to it. Superusers only."""
    await connection.execute(_RAW_PAGE)


async def count_pages(connection: AsyncConnection[Any], relation: str) -> int:
    """How many pages a table has now."""
    row = await (await connection.execute(_BLOCKS, (relation,))).fetchone()
    assert row is not None
    return int(row[0])


async def read_pages(connection: AsyncConnection[Any], relation: str, blocks: Iterable[int]) -> list[PageState]:
    """How these pages stand, without those that are no longer there. The caller keeps the table from being cut."""
    end = await count_pages(connection, relation)
    found: list[PageState] = []
    there = sorted(block for block in blocks if block < end)
    for start in range(0, len(there), _BATCH_PAGES):
        batch = there[start : start + _BATCH_PAGES]
        rows = await connection.execute(_STATES, {"relation": relation, "blocks": batch})
        found += [PageState(*row) for row in await rows.fetchall()]
    return found
