"""The processes that serve one database, or several, on PostgreSQL."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from memory.errors import BrainError
from memory.postgres.cells import CellDatabase
from memory.postgres.database import Database, tenant_scope
from memory.serving import ShareGrant, ShareRequest

_CELL_SECONDS = 2.0
"""How long a cell is waited for that may be away."""


@dataclass(frozen=True)
class _Others:
    others: int


@dataclass(frozen=True)
class _Claimed:
    claimed: bool


@dataclass(frozen=True)
class PostgresServingProcesses:
    """The promises are those of the port. Each cell hears who lives: it asks itself what its tenants' rows name."""

    database: Database

    async def keep(self, process_id: UUID) -> int:
        async with self.database.anonymous_session() as session:
            found = await session.fetch("keep_serving", {"process_id": process_id}, _Others)
        await self._tell_cells("keep_serving", process_id)
        return found[0].others

    async def stop(self, process_id: UUID) -> None:
        async with self.database.anonymous_session() as session:
            session.execute("stop_serving", {"process_id": process_id})
        await self._tell_cells("stop_serving", process_id)

    async def take_share(self, tenant_id: UUID, asked: ShareRequest) -> ShareGrant:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            found = await session.fetch("take_share", {"tenant_id": tenant_id, **vars(asked)}, ShareGrant)
        return found[0]

    async def claim_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID, seconds: float) -> bool:
        named = _decision(tenant_id, decision_id, process_id)
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return bool(await session.fetch("claim_decision", named | {"seconds": seconds}, _Claimed))

    async def release_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID) -> None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("release_decision", _decision(tenant_id, decision_id, process_id))

    async def _tell_cells(self, name: str, process_id: UUID) -> None:
        """One that is away hears it the next time."""
        cells: Mapping[str, Database] = self.database.others if isinstance(self.database, CellDatabase) else {}

        async def tell(cell: Database) -> None:
            with suppress(BrainError, TimeoutError):
                async with asyncio.timeout(_CELL_SECONDS), cell.anonymous_session() as session:
                    session.execute(name, {"process_id": process_id})

        await asyncio.gather(*(tell(each) for each in cells.values()))


def _decision(tenant_id: UUID, decision_id: UUID, process_id: UUID) -> dict[str, object]:
    return {"tenant_id": tenant_id, "decision_id": decision_id, "process_id": process_id}
