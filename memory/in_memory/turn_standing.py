"""Which turns say what is over: the twin of ``standing_of`` and ``weigh_turns`` in the database."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from memory.contracts import MemoryItem
from memory.in_memory.store import Compartment
from memory.index_rows import Standing, weigh_turn_row
from memory.revision import speaks_for

_LINKS = 20
"""How far it is followed what came in the place of a memory; the database goes as far."""


def weigh_turns(space: Compartment, event_ids: Iterable[UUID]) -> None:
    """Believe turns as much as the memories that rest on them allow."""
    for event_id in event_ids:
        standing = _standing(space, event_id)
        space.rows |= {row.source_id: weigh_turn_row(row, standing) for row in space.rows_of_turn(event_id)}


def _standing(space: Compartment, event_id: UUID) -> Standing:
    cited = [
        space.items[memory_id]
        for memory_id, cites in space.citations.items()
        if any(each.event_id == event_id for each in cites)
    ]
    spoken = {item.memory_id: speaks_for(item, event_id) for item in cited}
    upheld = {memory_id for memory_id, said in spoken.items() if said}
    if all(spoken[item.memory_id] is not False or upheld.intersection(_successors(space, item)) for item in cited):
        return "holds"
    return "partly" if upheld else "over"


def _successors(space: Compartment, item: MemoryItem) -> Iterator[UUID]:
    """What came in its place, and in the place of that."""
    for _ in range(_LINKS):
        if item.superseded_by is None:
            return
        yield item.superseded_by
        item = space.items[item.superseded_by]
