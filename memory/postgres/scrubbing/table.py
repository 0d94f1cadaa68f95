"""Take the old bytes of erased rows out of one table and its long values, beside live turns.

PostgreSQL frees the place of an erased row and leaves its bytes there. Only new rows overwrite them, and only from the
upper end of the hole. So the pages with old bytes are emptied: filler seals them, their living rows are written anew
(the same row at another place), and a row as large as a page covers each empty one. Filler belongs to transactions that
never commit, so that a process killed at any point leaves nothing but free space.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL

from memory.postgres.scrubbing import filling
from memory.postgres.scrubbing.filler import Filler, make_filler
from memory.postgres.scrubbing.pages import PageState, count_pages, named, read_pages
from memory.postgres.scrubbing.rewriting import LongColumn, long_columns, rewrite_long_values, rewrite_rows

_ROUNDS = 16
"""Two or three are enough where nobody writes; somebody who does fills emptied pages before they are covered."""
_TOAST = """
select 'pg_toast.' || t.relname from pg_class c join pg_class t on t.oid = c.reltoastrelid
where c.oid = %s::regclass"""
_VACUUM = "vacuum (truncate off, index_cleanup on, skip_database_stats on) {}"


@dataclass(frozen=True)
class TableReport:
    """What became of one table. ``pages_left`` may still hold old bytes: somebody keeps them from being emptied."""

    table: str
    pages: int
    rows_rewritten: int
    pages_left: int


@dataclass(frozen=True)
class Sessions:
    """A superuser's sessions: one works, one covers empty pages with filler, one seals the others."""

    worker: AsyncConnection[Any]
    cover: AsyncConnection[Any]
    seal: AsyncConnection[Any]


@dataclass
class _Pages:
    """The pages of one relation that existed when all was erased and are not known to be clean yet.

    Of a page that has been empty since, the unclean part is known, from one byte up to another.
    """

    relation: str
    states: dict[int, PageState] = field(default_factory=dict[int, PageState])
    unclean: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])

    async def find(self, connection: AsyncConnection[Any], blocks: Sequence[int]) -> None:
        """Keep those of the pages that may hold old bytes."""
        states = await read_pages(connection, self.relation, blocks)
        self.states = {state.block: state for state in states if state.has_old_bytes}
        self.unclean |= {block: (0, state.upper) for block, state in self.states.items() if state.is_empty}

    async def drop_covered(self, connection: AsyncConnection[Any]) -> None:
        """Let go of pages that were empty and have been written over since."""
        for state in await read_pages(connection, self.relation, sorted(self.unclean)):
            low, high = self.unclean[state.block]
            low, high = max(low, state.lower), min(high, state.upper)
            self.unclean[state.block] = low, high
            if high - low <= filling.UNREACHABLE_BYTES:
                del self.unclean[state.block]
                self.states.pop(state.block, None)


@dataclass
class TableScrub:
    """One table being scrubbed."""

    sessions: Sessions
    filler: Filler
    rows: _Pages
    long_values: _Pages | None
    long_columns: Sequence[LongColumn]
    row_bytes: int = 0
    rewritten: int = 0

    async def run(self) -> TableReport:
        """Scrub until no page is left, or as often as it may help."""
        pages = [list(range(await count_pages(self.sessions.worker, each.relation))) for each in self._relations()]
        waiting = pages
        await self._measure_row()
        for turn in range(_ROUNDS):
            await self._vacuum()
            await self._find(waiting)
            if not self._left():
                break
            await self._scrub_once(turn)
            waiting = [sorted(each.states) for each in self._relations()]
        await self._vacuum()
        return TableReport(self.filler.table, sum(map(len, pages)), self.rewritten, self._left())

    def _relations(self) -> list[_Pages]:
        return [self.rows, *([self.long_values] if self.long_values else [])]

    def _left(self) -> int:
        return sum(len(pages.states) for pages in self._relations())

    async def _measure_row(self) -> None:
        async with self.sessions.cover.transaction(force_rollback=True):
            self.row_bytes = await filling.measure_row(self.sessions.cover, self.filler)

    async def _vacuum(self) -> None:
        await self.sessions.worker.execute(SQL(_VACUUM).format(named(self.filler.table)))

    async def _find(self, waiting: Sequence[Sequence[int]]) -> None:
        """Look at pages while autovacuum is kept from cutting them off."""
        connection = self.sessions.cover
        async with connection.transaction():
            await connection.execute(SQL("lock table {} in row exclusive mode").format(named(self.filler.table)))
            if self.long_values:
                await connection.execute(SQL("select from {} limit 0").format(named(self.long_values.relation)))
            for pages, blocks in zip(self._relations(), waiting, strict=True):
                await pages.find(connection, blocks)

    async def _scrub_once(self, turn: int) -> None:
        """Cover what is empty; then move what lives on the other pages there."""
        async with self.sessions.seal.transaction(force_rollback=True):
            async with self.sessions.cover.transaction(force_rollback=True):
                await self._cover()
                if not self._left():
                    return
                if self.rows.states:
                    await filling.seal_pages(self.sessions.seal, self.filler, self.row_bytes, turn)
            await self._vacuum()  # the covered pages are free again, and clean
            await self._seal_long_pages()
            await self._rewrite()

    async def _cover(self) -> None:
        await filling.cover_empty_pages(self.sessions.cover, self.filler, self.row_bytes)
        if self.long_values and self.long_values.states:
            await filling.cover_empty_long_pages(self.sessions.cover, self.filler, self.long_values.relation)
        for pages in self._relations():
            await pages.drop_covered(self.sessions.cover)

    async def _seal_long_pages(self) -> None:
        """Here filler cannot be kept to empty pages, so that these are sealed too, and the table grows."""
        if self.long_values and self.long_values.states:
            states = self.long_values.states.values()
            await filling.seal_long_pages(self.sessions.seal, self.filler, self.long_values.relation, states)

    async def _rewrite(self) -> None:
        worker, table = self.sessions.worker, self.filler.table
        if self.long_values:
            relation, blocks = self.long_values.relation, self.long_values.states
            for column in self.long_columns:
                self.rewritten += await rewrite_long_values(worker, table, column, relation, blocks)
        self.rewritten += await rewrite_rows(worker, table, self.rows.states)


async def scrub_table(sessions: Sessions, table: str) -> TableReport:
    """Scrub one table over sessions in autocommit for which pages and noise are prepared."""
    toast = await (await sessions.worker.execute(_TOAST, (table,))).fetchone()
    return await TableScrub(
        sessions,
        await make_filler(sessions.worker, table),
        _Pages(table),
        _Pages(str(toast[0])) if toast else None,
        await long_columns(sessions.worker, table),
    ).run()
