"""How upkeep changes a memory: pure, the same for every store."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from uuid import UUID

from memory.contracts import MemoryItem
from memory.errors import BrainError
from memory.revision import CAPS, OVERHEARD, RANK, events_of, is_own_word, provenance_level
from memory.upkeep import Consolidation, UpkeepChange


def apply_upkeep(item: MemoryItem, tending: UpkeepChange, at: datetime) -> MemoryItem:
    """The next version. Raises ``E_CONFLICT`` when it is no longer the memory that was judged."""
    if item.version != tending.version or item.status != "active":
        raise upkeep_conflict_error()
    values = tending.new_values
    if tending.status == "retracted":
        values["invalid_at"] = max(at, item.valid_at)
    provenance = {**item.provenance, **tending.provenance}
    return replace(item, version=item.version + 1, updated_at=at, provenance=provenance, **values)


def consolidate_items(members: Sequence[MemoryItem], memory_id: UUID, at: datetime) -> MemoryItem:
    """The first member's words with the evidence of all, trusted as far as the least of them.

    What one member only overheard the others cannot vouch for: their words may differ in just that part.
    """
    best = members[0]
    level = provenance_level(min(members, key=lambda each: RANK[provenance_level(each)]))
    doubt = reduce(lambda left, each: left * (1 - each.confidence), members, 1.0)
    sessions = dict.fromkeys(session for each in members for session in each.source_sessions)
    known: list[str] = [event for each in members for event in events_of(each)]
    provenance: dict[str, object] = {
        "level": level,
        "events": list(dict.fromkeys(known)),
        "consolidates": [str(each.memory_id) for each in members],
    }
    if not all(map(is_own_word, members)):
        provenance[OVERHEARD] = True
    return replace(
        best,
        memory_id=memory_id,
        version=1,
        confidence=round(min(1 - doubt, CAPS[level]), 4),
        certainty=min(each.certainty for each in members),
        provenance=provenance,
        source_sessions=tuple(sessions),
        valid_at=min(each.valid_at for each in members),
        observed_at=max(each.observed_at for each in members),
        last_validated_at=max((each.last_validated_at for each in members if each.last_validated_at), default=None),
        superseded_by=None,
        created_at=at,
        updated_at=at,
    )


def require_same_versions(members: Sequence[MemoryItem], consolidation: Consolidation) -> None:
    """Raises ``E_CONFLICT`` unless these are the active memories, of one slot, that were compared."""
    found = {each.memory_id: each for each in members}
    for memory_id, version in consolidation.members:
        item = found[memory_id]
        if item.status != "active" or item.version != version or item.slot != members[0].slot:
            raise upkeep_conflict_error()


def count_long_chains(replaced_by: Mapping[UUID, UUID], living: Sequence[UUID], links: int) -> int:
    """How many of the living stand at the end of at least so many replacements (old id to new id)."""
    before: dict[UUID, list[UUID]] = {}
    for old, new in replaced_by.items():
        before.setdefault(new, []).append(old)

    def length(memory_id: UUID) -> int:
        return max((1 + length(each) for each in before.get(memory_id, ())), default=0)

    return sum(length(each) >= links for each in living)


def upkeep_conflict_error() -> BrainError:
    """What was judged is not what stands there now."""
    return BrainError("E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Upkeep will look again.")
