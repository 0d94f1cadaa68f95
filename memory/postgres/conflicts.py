"""Contradictions on PostgreSQL: each settlement is one transaction with its versions and audit."""

from dataclasses import dataclass
from uuid import UUID

from memory.conflicts import Conflict, ConflictStatus, Settlement
from memory.memory_item import Author
from memory.paging import Cursor, cursor_params
from memory.postgres.database import Database, scope_params
from memory.postgres.unit_of_work import begin_unit
from memory.postgres.writing import Writing
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresConflicts:
    """The promises are those of the port."""

    database: Database

    async def list_conflicts(
        self, scope: Scope, *, include_settled: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[Conflict]:
        params = scope_params(scope) | cursor_params(after) | {"include_settled": include_settled, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("conflicts_of_person", params, Conflict)

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).resolve(conflict_id, settlement)
