"""Which turns say what was forgotten; in the database, ``says_forgotten`` and ``turns_saying`` find them."""

from collections.abc import Iterator
from uuid import UUID

from memory.contracts import Event, MemoryItem
from memory.in_memory.store import Compartment


def forgotten_turns(space: Compartment, memory_id: UUID) -> set[UUID]:
    """The turns that a memory was taken from, and the replies that repeat it, as far as they say what was forgotten."""
    cited = {each.event_id for each in space.citations.get(memory_id, ())}
    answers = {
        each.event_id for _, each in space.events if (before := _turn_before_reply(space, each)) and before in cited
    }
    replies = {event.event_id for _, event in space.events if _holds(space, event, space.items[memory_id])}
    return {each for each in cited | answers | replies if says_forgotten(space, each)}


def forgotten_spans(space: Compartment, event_id: UUID) -> list[tuple[int, int]]:
    """Which characters of a turn were forgotten."""
    gone = [item.memory_id for item in space.items.values() if item.status == "deleted"]
    cited = (each for memory_id in gone for each in space.citations.get(memory_id, ()))
    return sorted((each.start, each.end) for each in cited if each.event_id == event_id)


def says_forgotten(space: Compartment, event_id: UUID) -> bool:
    """Whether nothing may be read or drawn from a turn: it says what was forgotten, or answers one that does."""
    if _repeats_forgotten(space, event_id):
        return True
    event = space.event(event_id)
    before = _turn_before_reply(space, event) if event else None
    return before is not None and bool(forgotten_spans(space, before)) and _repeats_forgotten(space, before)


def _turn_before_reply(space: Compartment, event: Event) -> UUID | None:
    """The turn right before a reply."""
    if event.role != "assistant":
        return None
    spoken = space.session_events(event.session_id)
    return next((each.event_id for each in spoken if each.position == event.position - 1), None)


def _repeats_forgotten(space: Compartment, event_id: UUID) -> bool:
    gone = [item for item in space.items.values() if item.status == "deleted"]
    cited = (item for item in gone if _rests_on(space, item, event_id))
    if any(not _has_living_copy(item, active_memories_of(space, event_id)) for item in cited):
        return True
    spoken = next(((operation, event) for operation, event in space.events if event.event_id == event_id), None)
    return spoken is not None and any(_repeats(space, spoken, item) for item in gone)


def active_memories_of(space: Compartment, event_id: UUID) -> list[MemoryItem]:
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
    return (event.session_id in told or injected) and not _has_living_copy(item, theirs)


def _holds(space: Compartment, event: Event, item: MemoryItem) -> bool:
    return event.role == "assistant" and any(
        len(words) > 1 and words.lower() in event.text.lower() for words in _wordings(space, item)
    )


def _wordings(space: Compartment, item: MemoryItem) -> Iterator[str]:
    yield from (str(each.snapshot["object"]) for each in space.versions.get(item.memory_id, ()))


def _has_living_copy(item: MemoryItem, living: list[MemoryItem]) -> bool:
    return any(item.object.lower() in each.content.lower() for each in living)


def _rests_on(space: Compartment, item: MemoryItem, event_id: UUID) -> bool:
    return any(each.event_id == event_id for each in space.citations.get(item.memory_id, ()))
