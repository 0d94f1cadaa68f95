"""Open conflicts with the memories that contradict each other."""

from dataclasses import dataclass

from memory.conflicts import Conflict
from memory.contracts import MemoryItem
from memory.paging import Cursor
from memory.ports import MemoryCore
from memory.scope import Scope


@dataclass(frozen=True)
class ConflictSides:
    """A conflict, what was remembered before, and what came against it."""

    conflict: Conflict
    held: MemoryItem
    new: MemoryItem


async def fetch_conflict_sides(
    memory: MemoryCore, scope: Scope, *, include_settled: bool, limit: int, after: Cursor | None = None
) -> list[ConflictSides]:
    """Oldest first: those behind ``after``."""
    found = await memory.conflicts.list_conflicts(scope, include_settled=include_settled, limit=limit, after=after)
    ids = dict.fromkeys(side for each in found for side in (each.held_id, each.new_id))
    items = {each.memory_id: each for each in await memory.items.get_many(scope, list(ids))}
    return [ConflictSides(each, items[each.held_id], items[each.new_id]) for each in found]
