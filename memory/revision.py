"""How a memory changes: pure changes."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.errors import BrainError, bad_request
from memory.memory_item import ItemUse, MemoryDraft, MemoryItem
from memory.provenance import (
    CAPS,
    ENDED_AT,
    RANK,
    REWORDED,
    events_of,
    is_program_conclusion,
    living_type,
    own_end,
    provenance_level,
    provenance_of,
    with_end,
    without_doubt,
)

MISMATCH = "a cited turn no longer matches its hash"


def first_version(draft: MemoryDraft, memory_id: UUID, user_id: UUID, at: datetime) -> MemoryItem:
    """The first version of a memory; its confidence is held below what its provenance allows."""
    return MemoryItem(
        memory_id=memory_id,
        user_id=user_id,
        memory_type=draft.item_type,
        content=draft.content,
        valid_at=draft.valid_at,
        invalid_at=draft.invalid_at,
        confidence=min(draft.confidence, CAPS[draft.provenance]),
        source_sessions=(draft.session_id,) if draft.session_id else (),
        superseded_by=None,
        version=1,
        provenance=provenance_of(draft),
        epistemic_type=draft.epistemic_type,
        subject=draft.subject,
        predicate=draft.predicate,
        object=draft.object,
        negated=draft.negated,
        category=draft.category,
        slot=draft.slot,
        status="active",
        stale=False,
        certainty=draft.certainty,
        observed_at=draft.observed_at,
        created_at=at,
        updated_at=at,
        last_validated_at=at if draft.provenance == "confirmed_by_user" else None,
    )


def merge_item(item: MemoryItem, draft: MemoryDraft, at: datetime) -> MemoryItem:
    """The same assertion again: evidence and belief grow, the content stays."""
    level = max(provenance_level(item), draft.provenance, key=RANK.__getitem__)
    events = list(dict.fromkeys((*events_of(item), *(str(c.event_id) for c in draft.citations))))
    sessions = dict.fromkeys((*item.source_sessions, *((draft.session_id,) if draft.session_id else ())))
    since, until = _merge_validity(item, draft)
    told = until if item.status == "active" else own_end(item)
    return next_version(
        item,
        at,
        valid_at=since,
        invalid_at=until,
        confidence=max(item.confidence, min(draft.confidence, CAPS[level])),
        provenance={**with_end(without_doubt(item), told), "level": level, "events": events},
        source_sessions=tuple(sessions),
        epistemic_type=living_type(item),
        last_validated_at=at if draft.provenance == "confirmed_by_user" else item.last_validated_at,
    )


def _merge_validity(item: MemoryItem, draft: MemoryDraft) -> tuple[datetime, datetime | None]:
    """Since when and until when, once it was said again: what had ended since then goes on, unless it tells an end."""
    if item.status != "active" or draft.observed_at < item.observed_at:
        return item.valid_at, item.invalid_at
    told = draft.valid_at if draft.invalid_at or draft.valid_at < draft.observed_at else item.valid_at
    goes_on = draft.invalid_at is None and item.has_ended(draft.observed_at)
    return min(item.valid_at, told), None if goes_on else draft.invalid_at or item.invalid_at


def _ends_at(item: MemoryItem, until: datetime) -> datetime:
    """When it ends by something said later: not before it was said to hold, nor after the end that it tells itself."""
    ended = max(until, item.observed_at, item.valid_at)
    told = own_end(item)
    return min(ended, max(told, item.valid_at)) if told else ended


def supersede_by_later(item: MemoryItem, later: MemoryItem) -> MemoryItem:
    """A new memory that was learned late: what came after it has taken its place already."""
    until = _ends_at(item, later.valid_at)
    return replace(item, status="superseded", superseded_by=later.memory_id, invalid_at=until)


def supersede_item(item: MemoryItem, by: UUID, until: datetime, at: datetime) -> MemoryItem:
    """Superseded: true until ``until`` (never before it began), replaced by ``by``."""
    return next_version(item, at, status="superseded", superseded_by=by, invalid_at=_ends_at(item, until))


def retract_item(item: MemoryItem, draft: MemoryDraft, at: datetime) -> MemoryItem:
    """No longer true, and nothing takes its place; the turn that says so is part of its evidence."""
    ended_by = [str(each.event_id) for each in draft.citations]
    events = list(dict.fromkeys((*events_of(item), *ended_by)))
    return next_version(
        item,
        at,
        status="retracted",
        invalid_at=_ends_at(item, draft.valid_at),
        provenance={
            **item.provenance,
            "events": events,
            "ended_by": ended_by,
            ENDED_AT: draft.observed_at.isoformat(),
        },
    )


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The parts of a memory that a correction states anew. Its slot stays what it is."""

    content: str
    object: str
    negated: bool
    category: str


def correct_item(item: MemoryItem, stated: Correction, at: datetime) -> MemoryItem:
    """What the user says is true instead takes its place."""
    return next_version(
        item,
        at,
        **asdict(stated),
        invalid_at=_end_in_new_words(item),
        epistemic_type=living_type(item),
        provenance={
            **with_end(without_doubt(item), None),
            "level": "confirmed_by_user",
            "overruled": events_of(item),
            REWORDED: True,
        },
        confidence=max(item.confidence, 0.9),
        certainty=1.0,
        last_validated_at=at,
    )


def restate_item(item: MemoryItem, stated: Correction, at: datetime) -> MemoryItem:
    """A program concludes otherwise: it is believed no more for that. Raises ``E_CONFLICT`` for a person's word."""
    if not is_program_conclusion(item):
        raise BrainError("E_CONFLICT", "A person said or confirmed this memory.", "Remember it beside this one.")
    told, until = with_end(item.provenance, None), _end_in_new_words(item)
    known = living_type(item)
    return next_version(item, at, **asdict(stated), invalid_at=until, epistemic_type=known, provenance=told)


def _end_in_new_words(item: MemoryItem) -> datetime | None:
    """The end that the old words told of a living memory is not known of the new ones."""
    return None if item.status == "active" else item.invalid_at


def confirm_item(item: MemoryItem, at: datetime) -> MemoryItem:
    """The user vouches for it."""
    provenance = {**without_doubt(item), "level": "confirmed_by_user"}
    known = living_type(item)
    return next_version(
        item, at, provenance=provenance, confidence=1.0, epistemic_type=known, last_validated_at=at, stale=False
    )


def forget_item(item: MemoryItem, at: datetime) -> MemoryItem:
    """Soft-deleted: in no reading any more, still in the history."""
    return next_version(item, at, status="deleted", invalid_at=max(at, item.valid_at))


def require_seen(item: MemoryItem, version: int) -> None:
    """Raises ``E_CONFLICT`` unless it is still the version that somebody looked at."""
    if item.version != version:
        raise BrainError(
            "E_CONFLICT",
            "One of these memories was changed meanwhile, so nothing was forgotten.",
            "Look at them again.",
        )


def set_item_use(item: MemoryItem, use: ItemUse, at: datetime) -> MemoryItem:
    """The next version with that use; the item itself where nothing changes. Raises ``E_BAD_REQUEST``."""
    if item.status == "deleted":
        raise bad_request("This memory was forgotten.", "Restore it first.")
    if use == "pinned" and item.status != "active":
        raise bad_request("This memory has ended; only one in use can be pinned.", "Pin the one that took its place.")
    return item if item.use == use else next_version(item, at, use=use)


def restore_item(item: MemoryItem, earlier: MemoryItem, at: datetime) -> MemoryItem:
    """An earlier state as the newest version, active again."""
    back = replace(earlier, status="active", superseded_by=None, invalid_at=own_end(earlier), use=item.use)
    return replace(back, version=item.version + 1, updated_at=at)


def mark_item_stale(item: MemoryItem, at: datetime) -> MemoryItem:
    """Its evidence no longer matches its hash: kept, demoted, waiting for repair."""
    return next_version(item, at, stale=True)


def repair_item(item: MemoryItem, at: datetime, *, rests_on_something: bool) -> MemoryItem:
    """Its evidence was looked at again: sound once more, or taken back because nothing says it any longer."""
    if rests_on_something:
        return next_version(item, at, stale=False)
    return next_version(item, at, status="retracted", stale=True, invalid_at=max(at, item.valid_at))


def next_version(item: MemoryItem, at: datetime, **changes: Any) -> MemoryItem:
    """The item with these changes, one version on."""
    return replace(item, version=item.version + 1, updated_at=at, **changes)
