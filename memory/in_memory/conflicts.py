"""The conflicts port."""

from dataclasses import dataclass, replace
from uuid import UUID

from memory.conflict_rules import settle, unknown_conflict
from memory.conflicts import STATUS_BY_RESOLUTION, Conflict, ConflictStatus, Settlement
from memory.contracts import Author
from memory.in_memory.documents import update_outdated_marks
from memory.in_memory.item_versions import cite, put_item
from memory.in_memory.store import InMemoryStore
from memory.scope import Scope


@dataclass
class InMemoryConflicts:
    """The conflicts port, on the shelf of the items."""

    shelf: InMemoryStore

    async def list_conflicts(self, scope: Scope, *, include_settled: bool = False, limit: int = 100) -> list[Conflict]:
        kept = [
            each
            for each in self.shelf.compartment_of(scope).conflicts.values()
            if include_settled or each.status == "open"
        ]
        return sorted(kept, key=lambda each: (each.opened_at, each.conflict_id))[:limit]

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        space = self.shelf.compartment_of(scope)
        conflict = space.conflicts.get(conflict_id)
        if conflict is None or conflict.status != "open":
            raise unknown_conflict()
        pair = (space.items[conflict.held_id], space.items[conflict.new_id])
        settled = settle(pair, settlement, author.at)
        status = STATUS_BY_RESOLUTION[settlement.resolution]
        space.conflicts[conflict_id] = replace(
            conflict, status=status, settled_at=author.at, settled_by=author.operator
        )
        if settled.inherits:
            winner, loser = (each.memory_id for each in settled.inherits)
            cite(space, winner, *space.citations.get(loser, ()))
        for item, change in settled.changes:
            put_item(space, item, change, author)
            update_outdated_marks(space, scope, item, author)
        return status
