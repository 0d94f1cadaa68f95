"""Where a memory comes from and what it rests on: the fields of its provenance, and what they tell."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.memory_item import EpistemicType, MemoryDraft, MemoryItem, ProvenanceLevel

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


def provenance_of(draft: MemoryDraft) -> dict[str, Any]:
    """The provenance of the first version of a memory."""
    told: dict[str, Any] = {SPEAKER: draft.speaker} if draft.speaker else {}
    if draft.overheard:
        told[OVERHEARD] = True
    if draft.composed:
        told[COMPOSED] = True
    if draft.invalid_at:
        told[UNTIL] = draft.invalid_at.isoformat()
    return {"level": draft.provenance, "events": list(dict.fromkeys(str(c.event_id) for c in draft.citations)), **told}


def provenance_level(item: MemoryItem) -> ProvenanceLevel:
    """Where the memory comes from, as one of the three levels."""
    level: Any = item.provenance.get("level", "observation")
    return level


def events_of(item: MemoryItem) -> list[str]:
    """The ids of the turns it was taken from, also of those that were cited once."""
    return _turn_ids(item, "events")


def is_own_word(item: MemoryItem) -> bool:
    """Whether a person said it or vouched for it; not so for what a tool left, nor for what is derived from that."""
    return provenance_level(item) == "confirmed_by_user" or (bool(events_of(item)) and OVERHEARD not in item.provenance)


def is_program_conclusion(item: MemoryItem) -> bool:
    """Whether it rests on no turn, and nobody vouched for it."""
    return provenance_level(item) != "confirmed_by_user" and not events_of(item)


def speaks_for(item: MemoryItem, event_id: UUID) -> bool | None:
    """Whether a memory upholds what a turn that it cites says; False when that is over, None when it tells neither.

    What has ended speaks against its turns, except against the one that ended it; what a person corrected, against the
    turns that said it otherwise.
    """
    if item.status == "active":
        return str(event_id) not in _turn_ids(item, "overruled")
    return None if item.status == "deleted" or str(event_id) in _turn_ids(item, "ended_by") else False


def is_doubted(item: MemoryItem) -> bool:
    """Whether it lives, and something newer leaves it in doubt that it still holds."""
    return item.status == "active" and bool(_turn_ids(item, DOUBTED))


def without_doubt(item: MemoryItem) -> dict[str, object]:
    """Its provenance once it was heard again: what was said in between is settled."""
    return {name: value for name, value in item.provenance.items() if name not in (DOUBTED, PARTS_OVER)}


def own_end(item: MemoryItem) -> datetime | None:
    """The end that its own words tell."""
    told: Any = item.provenance.get(UNTIL)
    return datetime.fromisoformat(told) if told else None


def with_end(provenance: Mapping[str, object], until: datetime | None) -> dict[str, object]:
    """A provenance that tells this end as that of the memory's own words, or none."""
    told = {name: value for name, value in provenance.items() if name != UNTIL}
    return {**told, UNTIL: until.isoformat()} if until else told


def ended_at(item: MemoryItem) -> datetime | None:
    """When the words were said that ended it; of what ended otherwise, its end."""
    told: Any = item.provenance.get(ENDED_AT)
    return datetime.fromisoformat(told) if told else item.invalid_at


def without_ending(provenance: Mapping[str, object]) -> dict[str, object]:
    """A provenance that no longer tells when the memory was ended."""
    return {name: value for name, value in provenance.items() if name != ENDED_AT}


def living_type(item: MemoryItem) -> EpistemicType | None:
    """What kind of knowledge it is, or was before it counted as outdated: heard of again, it lives again."""
    if item.epistemic_type != "outdated":
        return item.epistemic_type
    before: Any = item.provenance.get("epistemic_before", "preference")
    return before


def _turn_ids(item: MemoryItem, named: str) -> list[str]:
    return [str(event) for event in item.provenance.get(named, ())]  # type: ignore[union-attr]
