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
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, errors

from apps.cells import capture
from apps.cells.copying import TenantCopy, number_unsealed
from apps.cells.locks import HOLD_MS, alone, bounded, handing_over, hold, leased
from apps.cells.queued import queue_anew, remove_jobs
from apps.cells.settling import OnStep, Settlement, open_settlement, take_snapshot
from apps.cells.standing import lives_in, put_standing, require_receiver
from memory.errors import timeout_error
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

FEW_ROWS = 200
"""So many rows are brought over while the tenant is held."""
_SHRINKS = 0.8
"""What is left after a round, at the most, as a part of what the round before left; otherwise no more rounds."""
_HOLDS = 200
_LOOK_AGAIN = 0.05


@dataclass(frozen=True)
class Moved:
    """What was done. ``held_seconds``: how long callers of the tenant waited at the most."""

    rows: int = 0
    changed: int = 0
    held_seconds: float = 0.0


@dataclass(frozen=True)
class Move:
    """The move of one tenant."""

    settlement: Settlement

    async def run(self, to: str) -> Moved:
        """Move the tenant, or finish or take back what was begun. Raises ``E_CONFLICT`` beside another mover."""
        settlement, cells = self.settlement, self.settlement.cells
        with translate_errors():
            await require_receiver(cells[HOME], cells[to])
            async with alone(cells.values(), settlement.tenant_id):
                lives = lives_in((await settlement.fetch_standings())[HOME])
                moved = Moved()
                await settlement.settle(lives)
                if lives != to:
                    moved = await self._go_over(lives, to)
                    settlement.on_step("removing the old copy")
                    await settlement.settle(to)
                    settlement.on_step("done")
        return moved

    async def _go_over(self, lives: str, to: str) -> Moved:
        settlement, cells = self.settlement, self.settlement.cells
        tenant_id = settlement.tenant_id
        copy = TenantCopy(cells[lives].connection, cells[to].connection, settlement.tables, tenant_id)
        settlement.on_step("preparing")
        await put_standing(cells[to], tenant_id, "arriving", lives if to == HOME else None)
        await settlement.remove_rows(copy.target)
        await put_standing(cells[lives], tenant_id, "leaving")
        await capture.install(copy.source, copy.tables, tenant_id)
        settlement.on_step("copying")
        rows = await copy.copy_all()
        changed = await self._catch_up(copy)
        settlement.on_step("waiting for jobs at hand")
        await capture.await_jobs(copy.source, tenant_id)
        async with settlement.open_cell(to) as witness:
            async with handing_over(cells[HOME]):
                begun = Moved(rows=rows, changed=changed)
                moved = await self._hand_over(copy, witness.connection, (lives, to), begun)
            settlement.on_step("comparing")
            await settlement.compare(copy.source, witness.connection)
        return moved

    async def _catch_up(self, copy: TenantCopy) -> int:
        """Bring over what was written, until it is little, or no less than the time before: talk has no end."""
        self.settlement.on_step("catching up")
        total = before = await copy.catch_up()
        while before > FEW_ROWS:
            changed = await copy.catch_up()
            total += changed
            if changed > before * _SHRINKS:
                break
            before = changed
        return total

    async def _hand_over(
        self, copy: TenantCopy, witness: AsyncConnection[Any], way: tuple[str, str], moved: Moved
    ) -> Moved:
        """Hold the tenant and switch. A hold that takes too long is given up and tried again."""
        for _ in range(_HOLDS):
            moved = replace(moved, changed=moved.changed + await self._catch_up(copy))
            async with hold(copy.source, copy.tenant_id) as since:
                last = await self._bring_last(copy, witness, since) if since else None
                if last is not None:
                    async with leased(self.settlement.cells.values()):
                        await self._close(*way)
                        self.settlement.on_step("switching")
                        await self.settlement.open(way[1])
                held = max(moved.held_seconds, monotonic() - since if since else 0.0)
            moved = replace(moved, changed=moved.changed + (last or 0), held_seconds=held)
            if last is not None:
                return moved
            await asyncio.sleep(_LOOK_AGAIN)
        raise timeout_error("The tenant could not be held.", "It is served as before; repeat when less is said.")

    async def _bring_last(self, copy: TenantCopy, witness: AsyncConnection[Any], since: float) -> int | None:
        """Bring over what is left; how many rows, or None where that takes too long: then nothing has changed."""
        self.settlement.on_step("handing over")
        try:
            async with bounded(copy.source), bounded(copy.target):
                last = await copy.catch_up()
                if (monotonic() - since) * 1_000 > HOLD_MS:
                    return None
                await self._bring_late(copy)
                await take_snapshot(witness)
        except (errors.QueryCanceled, errors.LockNotAvailable):
            await witness.rollback()
            return None
        return last

    async def _bring_late(self, copy: TenantCopy) -> None:
        """What workers act on, in one transaction, and what the sealer has to find."""
        target = copy.target
        async with target.transaction():
            await target.execute("set local session_replication_role = replica")
            await remove_jobs(target, copy.tenant_id)
            for table in copy.late:
                await copy.copy_again(table)
            await queue_anew(copy.source, target, copy.tenant_id)
            await number_unsealed(target, copy.tenant_id, waiting=True)

    async def _close(self, lives: str, to: str) -> None:
        """From here on the old cell refuses the tenant. At home this is the row by which it lives elsewhere as well."""
        source, tenant_id = self.settlement.cells[lives], self.settlement.tenant_id
        async with source.connection.transaction():
            await source.connection.execute("set local session_replication_role = replica")
            await number_unsealed(source.connection, tenant_id, waiting=False)
            await put_standing(source, tenant_id, "gone", to if lives == HOME else None)


@asynccontextmanager
async def open_move(
    tenant_id: UUID, owner_urls: Mapping[str, str], on_step: OnStep = lambda step: None
) -> AsyncGenerator[Move]:
    """The move of a tenant between these cells; every one of them has to be reached."""
    async with open_settlement(tenant_id, owner_urls, on_step) as settlement:
        yield Move(settlement)
