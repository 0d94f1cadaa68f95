"""How a memory changes: pure changes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from memory.errors import BrainError, bad_request
from memory.memory_item import EpistemicType, ItemUse, MemoryDraft, MemoryItem, MemoryVersion, ProvenanceLevel

CAPS: Mapping[ProvenanceLevel, float] = {"observation": 0.6, "analysis": 0.8, "confirmed_by_user": 1.0}
"""The most a memory may be believed by where it came from (S0 section 3.1.0.1)."""

RANK: Mapping[ProvenanceLevel, int] = {"observation": 0, "analysis": 1, "confirmed_by_user": 2}
REWORDED = "reworded"
"""Field of a provenance: a person gave the memory other words than the turns that it cites."""
OVERHEARD = "overheard"
"""Field of a provenance: the memory is derived from one that no person said."""
SPEAKER = "speaker"
"""Field of a provenance: who said the content in these words."""
DOUBTED = "doubted_by"
"""Field of a provenance: the turns that said something newer, which leaves it in doubt that the memory still holds."""
COMPOSED = "composed"
"""Field of a provenance: its words are those of two turns, of which one corrected the other."""
PARTS_OVER = "parts_over"
"""Field of a provenance: what of a memory that says several things is over, and the turns that said so."""
ENDED_AT = "ended_at"
"""Field of a provenance: when the words were said that ended it, which may name another day."""
UNTIL = "holds_until"
"""Field of a provenance: the end that the memory's own words tell, whatever has ended it since."""
MISMATCH = "a cited turn no longer matches its hash"

_TIMES = ("valid_at", "invalid_at", "observed_at", "created_at", "updated_at", "last_validated_at")


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
        provenance=_provenance(draft),
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


def _provenance(draft: MemoryDraft) -> dict[str, Any]:
    told: dict[str, Any] = {SPEAKER: draft.speaker} if draft.speaker else {}
    if draft.overheard:
        told[OVERHEARD] = True
    if draft.composed:
        told[COMPOSED] = True
    if draft.invalid_at:
        told[UNTIL] = draft.invalid_at.isoformat()
    return {"level": draft.provenance, "events": list(dict.fromkeys(str(c.event_id) for c in draft.citations)), **told}


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
        provenance={**_with_end(_without_doubt(item), told), "level": level, "events": events},
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


def own_end(item: MemoryItem) -> datetime | None:
    """The end that its own words tell."""
    told: Any = item.provenance.get(UNTIL)
    return datetime.fromisoformat(told) if told else None


def ended_at(item: MemoryItem) -> datetime | None:
    """When the words were said that ended it; of what ended otherwise, its end."""
    told: Any = item.provenance.get(ENDED_AT)
    return datetime.fromisoformat(told) if told else item.invalid_at


def without_ending(provenance: Mapping[str, object]) -> dict[str, object]:
    """A provenance that no longer tells when the memory was ended."""
    return {name: value for name, value in provenance.items() if name != ENDED_AT}


def _with_end(provenance: Mapping[str, object], until: datetime | None) -> dict[str, object]:
    told = {name: value for name, value in provenance.items() if name != UNTIL}
    return {**told, UNTIL: until.isoformat()} if until else told


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
            **_with_end(_without_doubt(item), None),
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
    told, until = _with_end(item.provenance, None), _end_in_new_words(item)
    known = living_type(item)
    return next_version(item, at, **asdict(stated), invalid_at=until, epistemic_type=known, provenance=told)


def _end_in_new_words(item: MemoryItem) -> datetime | None:
    """The end that the old words told of a living memory is not known of the new ones."""
    return None if item.status == "active" else item.invalid_at


def is_program_conclusion(item: MemoryItem) -> bool:
    """Whether it rests on no turn, and nobody vouched for it."""
    return provenance_level(item) != "confirmed_by_user" and not events_of(item)


def confirm_item(item: MemoryItem, at: datetime) -> MemoryItem:
    """The user vouches for it."""
    provenance = {**_without_doubt(item), "level": "confirmed_by_user"}
    known = living_type(item)
    return next_version(
        item, at, provenance=provenance, confidence=1.0, epistemic_type=known, last_validated_at=at, stale=False
    )


def _without_doubt(item: MemoryItem) -> dict[str, object]:
    """Its provenance once it was heard again: what was said in between is settled."""
    return {name: value for name, value in item.provenance.items() if name not in (DOUBTED, PARTS_OVER)}


def is_doubted(item: MemoryItem) -> bool:
    """Whether it lives, and something newer leaves it in doubt that it still holds."""
    return item.status == "active" and bool(_turn_ids(item, DOUBTED))


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


def provenance_level(item: MemoryItem) -> ProvenanceLevel:
    """Where the memory comes from, as one of the three levels."""
    level: Any = item.provenance.get("level", "observation")
    return level


def is_own_word(item: MemoryItem) -> bool:
    """Whether a person said it or vouched for it; not so for what a tool left, nor for what is derived from that."""
    return provenance_level(item) == "confirmed_by_user" or (bool(events_of(item)) and OVERHEARD not in item.provenance)


def events_of(item: MemoryItem) -> list[str]:
    """The ids of the turns it was taken from, also of those that were cited once."""
    return _turn_ids(item, "events")


def speaks_for(item: MemoryItem, event_id: UUID) -> bool | None:
    """Whether a memory upholds what a turn that it cites says; False when that is over, None when it tells neither.

    What has ended speaks against its turns, except against the one that ended it; what a person corrected, against the
    turns that said it otherwise.
    """
    if item.status == "active":
        return str(event_id) not in _turn_ids(item, "overruled")
    return None if item.status == "deleted" or str(event_id) in _turn_ids(item, "ended_by") else False


def living_type(item: MemoryItem) -> EpistemicType | None:
    """What kind of knowledge it is, or was before it counted as outdated: heard of again, it lives again."""
    if item.epistemic_type != "outdated":
        return item.epistemic_type
    before: Any = item.provenance.get("epistemic_before", "preference")
    return before


def snapshot(item: MemoryItem) -> dict[str, Any]:
    """The whole item as plain JSON, for its history."""
    return {key: _to_plain(value) for key, value in asdict(item).items()}


def from_snapshot(data: Mapping[str, Any]) -> MemoryItem:
    """The item a snapshot was taken of."""
    values = {name.name: data[name.name] for name in fields(MemoryItem) if name.name in data}
    for name in _TIMES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    for name in ("memory_id", "user_id", "superseded_by"):
        values[name] = UUID(values[name]) if values[name] else None
    values["source_sessions"] = tuple(UUID(value) for value in values["source_sessions"])
    return MemoryItem(**values)


def differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The fields in which two snapshots differ, with both values; bookkeeping fields aside."""
    skipped = {"version", "updated_at"}
    return {key: (a.get(key), b.get(key)) for key in a if key not in skipped and a.get(key) != b.get(key)}


def last_version_in_use(versions: Sequence[MemoryVersion]) -> int:
    """The version before the memory was forgotten, superseded or taken back. Raises ``E_BAD_REQUEST`` if it was not."""
    if versions[-1].snapshot["status"] == "active":
        raise bad_request("This memory is in use as it is.", "Name an earlier version; its history lists them.")
    in_use = [each.version for each in versions if each.snapshot["status"] == "active"]
    if not in_use:
        raise bad_request("This memory was never in use.", "Name a version; its history lists them.")
    return in_use[-1]


def unknown_memory() -> BrainError:
    """The same answer for an id that never existed and for somebody else's."""
    return BrainError("E_NOT_FOUND", "There is no such memory.", "The list of memories shows them.")


def _turn_ids(item: MemoryItem, named: str) -> list[str]:
    return [str(event) for event in item.provenance.get(named, ())]  # type: ignore[union-attr]


def next_version(item: MemoryItem, at: datetime, **changes: Any) -> MemoryItem:
    """The item with these changes, one version on."""
    return replace(item, version=item.version + 1, updated_at=at, **changes)


def _to_plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case UUID():
            return str(value)
        case tuple() | list():
            return [_to_plain(each) for each in cast("list[Any]", value)]
        case dict():
            return {key: _to_plain(each) for key, each in cast("dict[str, Any]", value).items()}
        case _:
            return value
