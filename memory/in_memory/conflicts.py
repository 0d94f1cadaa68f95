"""The conflicts port, in memory."""

from dataclasses import dataclass
from uuid import UUID

from memory.conflicts import Conflict, ConflictStatus, Settlement
from memory.contracts import Author
from memory.in_memory.store import InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.paging import Cursor
from memory.scope import Scope
from memory.writing import Writing


@dataclass
class InMemoryConflicts:
    """The conflicts port, on the store of the items."""

    store: InMemoryStore

    async def list_conflicts(
        self, scope: Scope, *, include_settled: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[Conflict]:
        kept = [
            each
            for each in self.store.compartment_of(scope).conflicts.values()
            if (include_settled or each.status == "open")
            and (after is None or (each.opened_at, each.conflict_id) > (after.at, after.row_id))
        ]
        return sorted(kept, key=lambda each: (each.opened_at, each.conflict_id))[:limit]

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        return await Writing(InMemoryUnit(self.store, scope), author).resolve(conflict_id, settlement)
