"""Conflicts with the memories that contradict each other."""

from dataclasses import dataclass

from language.assertions import has_several_assertions
from memory.conflicts import Conflict
from memory.memory_item import MemoryItem
from memory.paging import Cursor
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.write_decision import is_protected


@dataclass(frozen=True)
class ConflictSides:
    """A conflict, what was remembered before, and what came against it."""

    conflict: Conflict
    held: MemoryItem
    new: MemoryItem

    @property
    def needs_person(self) -> bool:
        """An allergy is no matter of being outvoted, nor is a promise or a plan; and one part that may be over ends no
        memory that says several things.
        """
        return any(is_protected(item) or has_several_assertions(item.content) for item in (self.held, self.new))


async def fetch_conflict_sides(
    memory: MemoryCore, scope: Scope, *, include_settled: bool = False, limit: int, after: Cursor | None = None
) -> list[ConflictSides]:
    """Oldest first: those behind ``after``."""
    found = await memory.conflicts.list_conflicts(scope, include_settled=include_settled, limit=limit, after=after)
    ids = dict.fromkeys(side for each in found for side in (each.held_id, each.new_id))
    items = {each.memory_id: each for each in await memory.items.get_many(scope, list(ids))}
    return [ConflictSides(each, items[each.held_id], items[each.new_id]) for each in found]
