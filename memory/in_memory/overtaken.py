"""Which turns say only what is over: the twin of ``is_overtaken`` and ``weigh_turns`` in the database."""

from collections.abc import Iterable
from uuid import UUID

from memory.in_memory.shelf import Compartment
from memory.index_rows import weighed
from memory.revision import speaks_for


def weigh_turns(space: Compartment, event_ids: Iterable[UUID]) -> None:
    """Believe turns as much as the memories that rest on them allow."""
    for event_id in event_ids:
        if event_id in space.rows:
            space.rows[event_id] = weighed(space.rows[event_id], overtaken=_is_overtaken(space, event_id))


def _is_overtaken(space: Compartment, event_id: UUID) -> bool:
    spoken = [
        speaks_for(space.items[memory_id], event_id)
        for memory_id, cites in space.citations.items()
        if any(each.event_id == event_id for each in cites)
    ]
    return False in spoken and True not in spoken
