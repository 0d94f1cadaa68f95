"""Which turns say what was forgotten: the twin of ``says_forgotten`` and ``turns_saying`` in the database."""

from collections.abc import Iterator
from uuid import UUID

from memory.contracts import Event, MemoryItem
from memory.in_memory.shelf import Compartment


def forgotten_turns(space: Compartment, memory_id: UUID) -> set[UUID]:
    """The turns that a memory was taken from, and the replies that repeat it, as far as they say what was forgotten."""
    cited = {each.event_id for each in space.citations.get(memory_id, ())}
    replies = {event.event_id for _, event in space.events if _holds(space, event, space.items[memory_id])}
    return {each for each in cited | replies if says_forgotten(space, each)}


def says_forgotten(space: Compartment, event_id: UUID) -> bool:
    """Whether nothing may be read or drawn from a turn."""
    gone = [item for item in space.items.values() if item.status == "deleted"]
    cited = (item for item in gone if _rests_on(space, item, event_id))
    if any(not _still_said(item, living_of(space, event_id)) for item in cited):
        return True
    spoken = next(((operation, event) for operation, event in space.events if event.event_id == event_id), None)
    return spoken is not None and any(_repeats(space, spoken, item) for item in gone)


def living_of(space: Compartment, event_id: UUID) -> list[MemoryItem]:
    """The living memories that rest on a turn."""
    return [item for item in space.items.values() if item.status == "active" and _rests_on(space, item, event_id)]


def _repeats(space: Compartment, spoken: tuple[UUID, Event], item: MemoryItem) -> bool:
    operation, event = spoken
    if not _holds(space, event, item):
        return False
    told = {
        known.session_id for each in space.citations.get(item.memory_id, ()) if (known := space.event(each.event_id))
    }
    injected = any(
        each.receipt_type == "injection" and each.memory_id == item.memory_id
        for each in space.receipts.get(operation, ())
    )
    theirs = [each for each in space.items.values() if each.status == "active" and each.user_id == item.user_id]
    return (event.session_id in told or injected) and not _still_said(item, theirs)


def _holds(space: Compartment, event: Event, item: MemoryItem) -> bool:
    return event.role == "assistant" and any(
        len(words) > 1 and words.lower() in event.text.lower() for words in _wordings(space, item)
    )


def _wordings(space: Compartment, item: MemoryItem) -> Iterator[str]:
    yield from (str(each.snapshot["object"]) for each in space.versions.get(item.memory_id, ()))


def _still_said(item: MemoryItem, living: list[MemoryItem]) -> bool:
    return any(item.object.lower() in each.content.lower() for each in living)


def _rests_on(space: Compartment, item: MemoryItem, event_id: UUID) -> bool:
    return any(each.event_id == event_id for each in space.citations.get(item.memory_id, ()))
