"""Ends what was begun: the tenant is served where home says that it lives, and nowhere else.

Each of its states can be met again: a mover may be killed anywhere, and so may whoever ends its work.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection

from apps.cells import capture
from apps.cells.copying import TenantCopy, number_unsealed, require_alike
from apps.cells.locks import alone, handing_over, leased
from apps.cells.queued import remove_jobs
from apps.cells.standing import (
    CellConnection,
    Standing,
    drop_standing,
    fetch_standing,
    lives_in,
    open_cell,
    put_standing,
    require_apart,
    require_tenant,
)
from apps.cells.tenant_tables import TenantTable, list_tenant_tables
from memory.errors import BrainError, unavailable
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

OnStep = Callable[[str], None]
OpenCell = Callable[[str], AbstractAsyncContextManager[CellConnection]]
Standings = Mapping[str, Standing | None]
"""What each cell says about one tenant."""


@dataclass(frozen=True)
class Settlement:
    """One tenant in the cells that were reached, home among them. ``open_cell`` makes one more connection to a cell."""

    tenant_id: UUID
    cells: Mapping[str, CellConnection]
    tables: Sequence[TenantTable]
    open_cell: OpenCell
    on_step: OnStep

    async def recover(self) -> str | None:
        """End what a mover left that died; the cell that serves the tenant then, None where there is nothing to end.

        Raises ``E_CONFLICT`` beside a mover that lives, and where something is left that is not for a machine to end.
        """
        with translate_errors():
            async with alone(self.cells.values(), self.tenant_id):
                standings = await self.fetch_standings()
                lives = lives_in(standings[HOME])
                if lives not in self.cells:
                    raise unavailable(f"The tenant's cell {lives} is away.", "Its move is ended when it is back.")
                if not needs_recovery(standings):
                    return await self._require_no_copy_beside(lives, standings)
                await self.settle(lives)
                return lives

    async def choose(self, name: str) -> None:
        """Let this of several copies count, as a restore may leave them; the others go. Raises ``E_NOT_FOUND``."""
        with translate_errors():
            async with alone(self.cells.values(), self.tenant_id), handing_over(self.cells[HOME]):
                await require_tenant([self.cells[name]], self.tenant_id)
                for other in _serving_beside(await self.fetch_standings(), name):
                    await put_standing(self.cells[other], self.tenant_id, "gone")
                await self.open(name)
                await self.settle(name)

    async def fetch_standings(self) -> Standings:
        """What each cell says."""
        return {name: await fetch_standing(cell, self.tenant_id) for name, cell in self.cells.items()}

    async def settle(self, at: str) -> None:
        """The tenant lives in this cell and nowhere else. Raises ``E_CONFLICT`` where that would cost a copy."""
        standings = await self.fetch_standings()
        _require_one_copy(standings, at)
        standing = standings[at]
        if standing is not None and standing.state == "arriving":
            await self._finish(at, standings)
        elif standing is not None and standing.state != "here":
            await self._take_back(at, standing)
        if standing is not None:
            await capture.remove(self.cells[at].connection, self.tenant_id)
        for name, other in standings.items():
            if name != at and other is not None:
                await self._clear(name, at)

    async def open(self, at: str) -> None:
        """First home says where the tenant lives, then that cell serves it."""
        if at != HOME:
            await put_standing(self.cells[HOME], self.tenant_id, "gone", at)
            self.on_step("opening")
        await put_standing(self.cells[at], self.tenant_id, "here")

    async def compare(self, source: AsyncConnection[Any], witness: AsyncConnection[Any]) -> None:
        """All rows of both, as they were when the tenant went; the old copy is removed only if they are alike."""
        for table in self.tables:
            try:
                await require_alike(table, table.where(self.tenant_id), source, witness)
            except BrainError as error:
                kept = "The tenant is served by the new cell, and the old copy is kept until the move is repeated."
                raise BrainError(error.code, error.message, kept) from error
        await witness.rollback()

    async def _require_no_copy_beside(self, lives: str, standings: Standings) -> None:
        """An old copy that was not compared: whether it may go, a person has to say."""
        kept = [name for name, each in standings.items() if name not in (lives, HOME) and each is not None]
        if lives != HOME and self.tenant_id in await capture.list_followed(self.cells[HOME].connection):
            kept.append(HOME)
        if kept:
            told = f"An old copy of the tenant, which lives in {lives}, is kept in {', '.join(kept)}."
            raise BrainError("E_CONFLICT", told, f"'brain cells move --tenant NAME {lives}' removes it.")

    async def _finish(self, at: str, standings: Standings) -> None:
        """All has arrived, and home says so: the mover died before the last word."""
        gone = [name for name, each in standings.items() if each is not None and each.state == "gone"]
        source = next((name for name in gone if name != HOME), HOME)
        async with self.open_cell(at) as witness:
            async with leased(self.cells.values()):
                await take_snapshot(witness.connection)
                await self.open(at)
            await self.compare(self.cells[source].connection, witness.connection)

    async def _take_back(self, at: str, standing: Standing) -> None:
        connection = self.cells[at].connection
        async with leased(self.cells.values()):
            if standing.state == "gone":
                async with connection.transaction():
                    await connection.execute("set local session_replication_role = replica")
                    await number_unsealed(connection, self.tenant_id, waiting=True)
            await self.open(at)

    async def _clear(self, name: str, at: str) -> None:
        """Remove a copy that serves nobody: the old one, or one that was begun."""
        cell = self.cells[name]
        await self.remove_rows(cell.connection)
        await capture.remove(cell.connection, self.tenant_id)
        if name == HOME:
            await put_standing(cell, self.tenant_id, "gone", at)
        else:
            await drop_standing(cell, self.tenant_id)

    async def remove_rows(self, connection: AsyncConnection[Any]) -> None:
        """Delete all that the tenant has in a database that does not serve it."""
        await TenantCopy(connection, connection, self.tables, self.tenant_id).remove()
        async with connection.transaction():
            await connection.execute("set local session_replication_role = replica")
            await remove_jobs(connection, self.tenant_id)


@asynccontextmanager
async def open_settlement(
    tenant_id: UUID, owner_urls: Mapping[str, str], on_step: OnStep = lambda step: None
) -> AsyncGenerator[Settlement]:
    """The tenant in these cells; every one of them has to be reached. Raises ``E_CONFIG`` for two that are one."""

    def open_one(name: str) -> AbstractAsyncContextManager[CellConnection]:
        return open_cell(name, owner_urls[name])

    async with AsyncExitStack() as stack:
        cells = {name: await stack.enter_async_context(open_one(name)) for name in owner_urls}
        with translate_errors():
            await require_apart(cells.values())
            tables = await list_tenant_tables(cells[HOME].connection)
        yield Settlement(tenant_id, cells, tables, open_one, on_step)


async def take_snapshot(witness: AsyncConnection[Any]) -> None:
    """Let a connection see to its end what is there now."""
    await witness.execute("begin transaction isolation level repeatable read, read only")
    await witness.execute("select pg_current_snapshot()")


def needs_recovery(standings: Standings) -> bool:
    """Whether a move was begun and neither ended nor taken back. An old copy alone keeps nobody from being served."""
    lives = lives_in(standings[HOME])
    at = standings.get(lives)
    return (at is not None and at.state != "here") or any(
        each is not None and each.state == "arriving" for each in standings.values()
    )


def _serving_beside(standings: Standings, at: str) -> list[str]:
    """Other cells that would serve the tenant: no move leaves any, but a restored database may."""
    return [
        name
        for name, each in standings.items()
        if name not in (at, HOME) and each is not None and each.state in ("here", "leaving")
    ]


def _require_one_copy(standings: Standings, at: str) -> None:
    others = _serving_beside(standings, at)
    if others or (at != HOME and standings[at] is None):
        told = f"the tenant's copy is in {', '.join(others) or HOME}" if others else f"{at} does not know the tenant"
        raise BrainError(
            "E_CONFLICT",
            f"Home says that the tenant lives in {at}, but {told}: a database was restored from before a move.",
            "Say which copy counts: brain cells move --restored NAME. The others are removed.",
        )
