"""Take the old bytes of erased rows out of one table and its long values, beside live turns.

PostgreSQL frees the place of an erased row and leaves its bytes there. Only new rows overwrite them, and only from the
upper end of the hole. So the pages with old bytes are emptied: filler takes all free space, their living rows are
written anew (which is the same row at another place), and a row as large as a page covers each. Filler belongs to a
transaction that never commits, so that a process killed at any point leaves nothing but free space.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL

from memory.postgres.scrubbing import filling
from memory.postgres.scrubbing.filler import Filler, make_filler
from memory.postgres.scrubbing.pages import count_pages, named, read_pages
from memory.postgres.scrubbing.rewriting import LongColumn, long_columns, rewrite_long_values, rewrite_rows

_ROUNDS = 6
_TOAST = """
select 'pg_toast.' || t.relname from pg_class c join pg_class t on t.oid = c.reltoastrelid where c.oid = %s::regclass"""
_VACUUM = "vacuum (truncate off, index_cleanup on, skip_database_stats on) {}"


@dataclass(frozen=True)
class TableReport:
    """What became of one table. ``pages_left`` may still hold old bytes: somebody keeps them from being emptied."""

    table: str
    pages: int
    rows_rewritten: int
    pages_left: int


@dataclass
class _Pages:
    """The pages of one relation that existed when all was erased and are not known to be clean yet."""

    relation: str
    blocks: set[int] = field(default_factory=set[int])

    async def look(self, connection: AsyncConnection[Any]) -> None:
        states = await read_pages(connection, self.relation, self.blocks)
        self.blocks = {state.block for state in states if state.has_old_bytes}

    async def empty(self, connection: AsyncConnection[Any]) -> set[int]:
        return {state.block for state in await read_pages(connection, self.relation, self.blocks) if state.is_empty}

    async def drop_covered(self, connection: AsyncConnection[Any], empty: set[int]) -> None:
        self.blocks -= {state.block for state in await read_pages(connection, self.relation, empty) if state.is_covered}


@dataclass(frozen=True)
class TableScrub:
    """One table being scrubbed over two sessions of the owner's: one works, one keeps filler in place."""

    worker: AsyncConnection[Any]
    filling: AsyncConnection[Any]
    filler: Filler
    rows: _Pages
    long_values: _Pages | None
    long_columns: Sequence[LongColumn]

    async def run(self) -> TableReport:
        """Scrub until no page is left, or as often as it may help."""
        pages = await self._begin()
        rewritten = 0
        for _ in range(_ROUNDS):
            await self._vacuum()
            async with self._hold_table():
                await self._look()
            if not self._left():
                break
            async with filling.open_filling(self.filling, self.filler.table):
                await self._fill_holes()
                rewritten += await self._rewrite()
            await self._vacuum()
            async with filling.open_filling(self.filling, self.filler.table):
                await self._cover()
        await self._vacuum()
        return TableReport(self.filler.table, pages, rewritten, self._left())

    def _left(self) -> int:
        return sum(len(pages.blocks) for pages in self._relations())

    def _relations(self) -> list[_Pages]:
        return [self.rows, *([self.long_values] if self.long_values else [])]

    async def _begin(self) -> int:
        for pages in self._relations():
            pages.blocks = set(range(await count_pages(self.worker, pages.relation)))
        return self._left()

    async def _vacuum(self) -> None:
        await self.worker.execute(SQL(_VACUUM).format(named(self.filler.table)))

    @asynccontextmanager
    async def _hold_table(self) -> AsyncGenerator[None]:
        """Keep autovacuum from cutting pages off while they are read."""
        async with self.filling.transaction():
            await self.filling.execute(SQL("lock table {} in row exclusive mode").format(named(self.filler.table)))
            if self.long_values:
                await self.filling.execute(SQL("select from {} limit 0").format(named(self.long_values.relation)))
            yield

    async def _look(self) -> None:
        for pages in self._relations():
            await pages.look(self.filling)

    async def _fill_holes(self) -> None:
        if self.rows.blocks:
            await filling.fill_holes(self.filling, self.filler)
        if self.long_values and self.long_values.blocks:
            await filling.fill_long_holes(
                self.filling, self.filler, self.long_values.relation, len(self.long_values.blocks)
            )

    async def _rewrite(self) -> int:
        table = self.filler.table
        long_rows = 0
        if self.long_values:
            relation, blocks = self.long_values.relation, self.long_values.blocks
            for column in self.long_columns:
                long_rows += await rewrite_long_values(self.worker, table, column, relation, blocks)
        return long_rows + await rewrite_rows(self.worker, table, self.rows.blocks)

    async def _cover(self) -> None:
        empty = [await pages.empty(self.filling) for pages in self._relations()]
        if empty[0]:
            await filling.fill_empty_pages(self.filling, self.filler)
        if self.long_values and empty[-1]:
            relation = self.long_values.relation
            await filling.fill_empty_long_pages(self.filling, self.filler, relation, len(empty[-1]))
        for pages, blocks in zip(self._relations(), empty, strict=True):
            await pages.drop_covered(self.filling, blocks)


async def scrub_table(worker: AsyncConnection[Any], filler_line: AsyncConnection[Any], table: str) -> TableReport:
    """Scrub one table; both sessions are a superuser's, in autocommit, with ``prepare_raw_pages`` done."""
    toast = await (await worker.execute(_TOAST, (table,))).fetchone()
    return await TableScrub(
        worker,
        filler_line,
        await make_filler(worker, table),
        _Pages(table),
        _Pages(str(toast[0])) if toast else None,
        await long_columns(worker, table),
    ).run()
