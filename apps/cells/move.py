"""Moves a tenant to another cell while it is talked to.

Where it lives, home says in one row. Until that row changes, whatever was done can be done again from the beginning;
afterwards what is left can only be finished. Each database refuses a tenant that it does not serve, so that two never
accept a write, whatever a process still believes and wherever a move is killed:

1. the other database says "arriving" and refuses the tenant; what an earlier attempt left there goes;
2. the tenant's database says "leaving": writes are followed, jobs begin no more; all rows are copied, then those that
   were written since, until few are left;
3. the tenant is held (whoever asks waits): the last rows, the jobs that wait, then "gone", the row at home, "here";
4. the copies are compared once more, and the old one is removed.

A move to the cell where the tenant lives takes back what a killed one had begun.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, errors

from apps.cells import capture
from apps.cells.copying import TenantCopy, number_unsealed, require_alike
from apps.cells.queued import queue_anew, remove_jobs
from apps.cells.standing import (
    CellConnection,
    Standing,
    drop_standing,
    fetch_standing,
    lives_in,
    open_cell,
    put_standing,
    require_receiver,
)
from apps.cells.tenant_tables import TenantTable, list_tenant_tables
from memory.errors import BrainError, timeout_error
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

FEW_ROWS = 200
"""So many rows are brought over while the tenant is held."""
_SHRINKS = 0.8
"""What is left after a round, at the most, as a part of what the round before left; otherwise no more rounds."""
HOLD_MS = 1_500
"""Milliseconds that a statement may take while the tenant is held; a hold that takes longer is given up."""
_HOLDS = 200
_LOOK_AGAIN = 0.05
OnStep = Callable[[str], None]


@dataclass(frozen=True)
class Moved:
    """What was done. ``held_seconds``: how long callers of the tenant waited at the most."""

    rows: int = 0
    changed: int = 0
    held_seconds: float = 0.0


OpenCell = Callable[[str], AbstractAsyncContextManager[CellConnection]]


@dataclass(frozen=True)
class Move:
    """The move of one tenant. ``on_step`` hears what begins; ``open_cell`` makes one more connection to a cell."""

    tenant_id: UUID
    cells: Mapping[str, CellConnection]
    tables: Sequence[TenantTable]
    open_cell: OpenCell
    on_step: OnStep

    async def run(self, to: str) -> Moved:
        """Move the tenant, or finish or take back what was begun. Raises ``E_CONFLICT`` beside another mover."""
        with translate_errors():
            await require_receiver(self.cells[HOME], self.cells[to])
            async with _alone(self.cells[HOME].connection, self.tenant_id):
                lives = lives_in(await fetch_standing(self.cells[HOME], self.tenant_id))
                moved = Moved()
                await self._settle(lives)
                if lives != to:
                    moved = await self._go_over(lives, to)
                    self.on_step("removing the old copy")
                    await self._settle(to)
                    self.on_step("done")
        return moved

    async def _go_over(self, lives: str, to: str) -> Moved:
        copy = TenantCopy(self.cells[lives].connection, self.cells[to].connection, self.tables, self.tenant_id)
        self.on_step("preparing")
        await put_standing(self.cells[to], self.tenant_id, "arriving", lives if to == HOME else None)
        await put_standing(self.cells[lives], self.tenant_id, "leaving")
        await capture.install(copy.source, copy.tables, self.tenant_id)
        self.on_step("copying")
        rows = await copy.copy_all()
        changed = await self._catch_up(copy)
        self.on_step("waiting for jobs at hand")
        await capture.await_jobs(copy.source, self.tenant_id)
        return await self._hand_over(copy, lives, to, Moved(rows=rows, changed=changed))

    async def _catch_up(self, copy: TenantCopy) -> int:
        """Bring over what was written, until it is little, or no less than the time before: talk has no end."""
        self.on_step("catching up")
        total = before = await copy.catch_up()
        while before > FEW_ROWS:
            changed = await copy.catch_up()
            total += changed
            if changed > before * _SHRINKS:
                break
            before = changed
        return total

    async def _hand_over(self, copy: TenantCopy, lives: str, to: str, moved: Moved) -> Moved:
        """Hold the tenant, switch, and compare the copies. A hold that takes too long is given up and tried again."""
        async with self.open_cell(to) as witness:
            for _ in range(_HOLDS):
                moved = replace(moved, changed=moved.changed + await self._catch_up(copy))
                async with _hold(copy.source, self.tenant_id) as since:
                    last = await self._bring_last(copy, witness.connection, since) if since else None
                    if last is not None:
                        await self._close(lives, to)
                        self.on_step("switching")
                        await self._open(to)
                    held = max(moved.held_seconds, monotonic() - since if since else 0.0)
                moved = replace(moved, changed=moved.changed + (last or 0), held_seconds=held)
                if last is not None:
                    self.on_step("comparing")
                    await self._compare(copy, witness.connection)
                    return moved
                await asyncio.sleep(_LOOK_AGAIN)
        raise timeout_error("The tenant could not be held.", "It is served as before; repeat when less is said.")

    async def _bring_last(self, copy: TenantCopy, witness: AsyncConnection[Any], since: float) -> int | None:
        """Bring over what is left; how many rows, or None where that takes too long: then nothing has changed."""
        self.on_step("handing over")
        try:
            async with _bounded(copy.source), _bounded(copy.target):
                last = await copy.catch_up()
                if (monotonic() - since) * 1_000 > HOLD_MS:
                    return None
                await self._bring_late(copy)
                await witness.execute("begin transaction isolation level repeatable read, read only")
                await witness.execute("select pg_current_snapshot()")
        except (errors.QueryCanceled, errors.LockNotAvailable):
            await witness.rollback()
            return None
        return last

    async def _bring_late(self, copy: TenantCopy) -> None:
        """What workers act on, in one transaction, and what the sealer has to find."""
        target = copy.target
        async with target.transaction():
            await target.execute("set local session_replication_role = replica")
            await remove_jobs(target, self.tenant_id)
            for table in copy.late:
                await copy.copy_again(table)
            await queue_anew(copy.source, target, self.tenant_id)
            await number_unsealed(target, self.tenant_id, waiting=True)

    async def _compare(self, copy: TenantCopy, witness: AsyncConnection[Any]) -> None:
        """All rows of both, as they were when the tenant went; the old copy is removed only if they are alike."""
        for table in copy.tables:
            try:
                await require_alike(table, table.where(self.tenant_id), copy.source, witness)
            except BrainError as error:
                kept = "The tenant is served by the new cell, and the old copy is kept until the move is repeated."
                raise BrainError(error.code, error.message, kept) from error
        await witness.rollback()

    async def _close(self, lives: str, to: str) -> None:
        """From here on the old cell refuses the tenant. At home this is the row by which it lives elsewhere as well."""
        source = self.cells[lives]
        async with source.connection.transaction():
            await source.connection.execute("set local session_replication_role = replica")
            await number_unsealed(source.connection, self.tenant_id, waiting=False)
            await put_standing(source, self.tenant_id, "gone", to if lives == HOME else None)

    async def _open(self, at: str) -> None:
        """First home says where the tenant lives, then that cell serves it."""
        if at != HOME:
            await put_standing(self.cells[HOME], self.tenant_id, "gone", at)
            self.on_step("opening")
        await put_standing(self.cells[at], self.tenant_id, "here")

    async def _settle(self, at: str) -> None:
        """The tenant lives in this cell and nowhere else, whatever was begun."""
        standing = await fetch_standing(self.cells[at], self.tenant_id)
        if standing is not None and standing.state != "here":
            await self._take_back(at, standing)
        for name, cell in self.cells.items():
            if name != at and await fetch_standing(cell, self.tenant_id) is not None:
                await self._clear(name, at)

    async def _take_back(self, at: str, standing: Standing) -> None:
        connection = self.cells[at].connection
        if standing.state == "gone":
            async with connection.transaction():
                await connection.execute("set local session_replication_role = replica")
                await number_unsealed(connection, self.tenant_id, waiting=True)
        await self._open(at)
        await capture.remove(connection, self.tenant_id)

    async def _clear(self, name: str, at: str) -> None:
        """Remove a copy that serves nobody: the old one, or one that was begun."""
        cell = self.cells[name]
        copy = TenantCopy(cell.connection, cell.connection, self.tables, self.tenant_id)
        await copy.remove()
        async with cell.connection.transaction():
            await cell.connection.execute("set local session_replication_role = replica")
            await remove_jobs(cell.connection, self.tenant_id)
        await capture.remove(cell.connection, self.tenant_id)
        if name == HOME:
            await put_standing(cell, self.tenant_id, "gone", at)
        else:
            await drop_standing(cell, self.tenant_id)


@asynccontextmanager
async def open_move(
    tenant_id: UUID, owner_urls: Mapping[str, str], on_step: OnStep = lambda step: None
) -> AsyncGenerator[Move]:
    """The move of a tenant between these cells; every one of them has to be reached."""

    def open_one(name: str) -> AbstractAsyncContextManager[CellConnection]:
        return open_cell(name, owner_urls[name])

    async with AsyncExitStack() as stack:
        cells = {name: await stack.enter_async_context(open_one(name)) for name in owner_urls}
        with translate_errors():
            tables = await list_tenant_tables(cells[HOME].connection)
        yield Move(tenant_id, cells, tables, open_one, on_step)


@asynccontextmanager
async def _alone(home: AsyncConnection[Any], tenant_id: UUID) -> AsyncGenerator[None]:
    key = f"brain move {tenant_id}"
    found = await (await home.execute("select pg_try_advisory_lock(hashtextextended(%s, 0))", (key,))).fetchone()
    if found != (True,):
        raise BrainError("E_CONFLICT", "Another process moves this tenant.", "Wait for it.")
    try:
        yield
    finally:
        if not home.closed:
            await home.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", (key,))


@asynccontextmanager
async def _hold(source: AsyncConnection[Any], tenant_id: UUID) -> AsyncGenerator[float | None]:
    """Hold whoever acts for the tenant; since when, or None where somebody was in the way.

    A lock that is waited for holds newcomers as well, so it is waited for briefly: no deadlock is looked for so soon.
    A mover whose machine is gone lets go after some seconds.
    """
    lock = "select pg_advisory_lock(brain.move_lock(%s))"
    begun = monotonic()
    try:
        await source.execute("set lock_timeout = 800; set idle_session_timeout = '5s'")
        await source.execute(lock, (tenant_id,))
    except errors.LockNotAvailable:
        begun = None
    try:
        yield begun
    finally:
        if not source.closed:
            await source.execute("set lock_timeout = 0; set idle_session_timeout = 0")
            if begun is not None:
                await source.execute("select pg_advisory_unlock(brain.move_lock(%s))", (tenant_id,))


@asynccontextmanager
async def _bounded(connection: AsyncConnection[Any]) -> AsyncGenerator[None]:
    await connection.execute("select set_config('statement_timeout', %s, false)", (str(HOLD_MS),))
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute("set statement_timeout = 0")
