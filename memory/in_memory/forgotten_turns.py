"""Turns that say what was forgotten or excluded; in the database, ``says_forgotten`` and ``turns_saying`` find them."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from memory.contracts import Event, MemoryItem
from memory.in_memory.store import Compartment


def forgotten_turns(space: Compartment, memory_id: UUID) -> set[UUID]:
    """The turns that say a memory, as far as they say what was forgotten."""
    return {each for each in turns_saying(space, memory_id) if says_forgotten(space, each)}


def turns_saying(space: Compartment, memory_id: UUID) -> set[UUID]:
    """The turns that a memory was taken from, the replies right after them, and those that hold its words."""
    cited = {each.event_id for each in space.citations.get(memory_id, ())}
    answers = {
        each.event_id for _, each in space.events if (before := _turn_before_reply(space, each)) and before in cited
    }
    replies = {event.event_id for _, event in space.events if _holds(space, event, space.items[memory_id])}
    return cited | answers | replies


def forgotten_spans(space: Compartment, event_id: UUID) -> list[tuple[int, int]]:
    """Which characters of a turn nothing is drawn from."""
    gone = [item.memory_id for item in space.items.values() if item.is_withheld]
    cited = (each for memory_id in gone for each in space.citations.get(memory_id, ()))
    return sorted((each.start, each.end) for each in cited if each.event_id == event_id)


def says_forgotten(space: Compartment, event_id: UUID, *, or_excluded: bool = True) -> bool:
    """Whether nothing may be read or drawn from a turn: it says what was forgotten, or answers one that does.

    What is excluded from use counts as well, unless what was forgotten is asked for alone.
    """
    gone = _withheld_items(space, or_excluded)
    if _repeats_any(space, event_id, gone, or_excluded):
        return True
    event = space.event(event_id)
    before = _turn_before_reply(space, event) if event else None
    if before is None or not any(_rests_on(space, item, before) for item in gone):
        return False
    return _repeats_any(space, before, gone, or_excluded)


def _withheld_items(space: Compartment, or_excluded: bool) -> list[MemoryItem]:
    return [each for each in space.items.values() if each.status == "deleted" or (or_excluded and each.is_withheld)]


def _turn_before_reply(space: Compartment, event: Event) -> UUID | None:
    """The turn right before a reply."""
    if event.role != "assistant":
        return None
    spoken = space.session_events(event.session_id)
    return next((each.event_id for each in spoken if each.position == event.position - 1), None)


def _repeats_any(space: Compartment, event_id: UUID, gone: Sequence[MemoryItem], or_excluded: bool) -> bool:
    living = [item for item in space.items.values() if _counts(item, or_excluded)]
    resting = [item for item in living if _rests_on(space, item, event_id)]
    cited = (item for item in gone if _rests_on(space, item, event_id))
    if any(not _has_living_copy(item, resting) for item in cited):
        return True
    spoken = next(((operation, event) for operation, event in space.events if event.event_id == event_id), None)
    return spoken is not None and any(_repeats(space, spoken, item, living) for item in gone)


def active_memories_of(space: Compartment, event_id: UUID) -> list[MemoryItem]:
    """The memories in use that rest on a turn."""
    return [item for item in space.items.values() if _counts(item, True) and _rests_on(space, item, event_id)]


def _counts(item: MemoryItem, or_excluded: bool) -> bool:
    return item.status == "active" and not (or_excluded and item.is_withheld)


def _repeats(space: Compartment, spoken: tuple[UUID, Event], item: MemoryItem, living: Sequence[MemoryItem]) -> bool:
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
    theirs = [each for each in living if each.user_id == item.user_id]
    return (event.session_id in told or injected) and not _has_living_copy(item, theirs)


def _holds(space: Compartment, event: Event, item: MemoryItem) -> bool:
    return event.role == "assistant" and any(
        len(words) > 1 and words.lower() in event.text.lower() for words in _wordings(space, item)
    )


def _wordings(space: Compartment, item: MemoryItem) -> Iterator[str]:
    yield from (str(each.snapshot["object"]) for each in space.versions.get(item.memory_id, ()))


def _has_living_copy(item: MemoryItem, living: Sequence[MemoryItem]) -> bool:
    return any(item.object.lower() in each.content.lower() for each in living)


def _rests_on(space: Compartment, item: MemoryItem, event_id: UUID) -> bool:
    return any(each.event_id == event_id for each in space.citations.get(item.memory_id, ()))
