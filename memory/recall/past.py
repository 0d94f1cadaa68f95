"""The candidates of a pass as they were believed at an earlier moment."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.index_rows import row_of_item
from memory.memory_item import MemoryItem
from memory.recall.query import CandidateRow, RecallPass


def pass_as_of(found: RecallPass, versions: Mapping[UUID, MemoryItem], as_of: datetime) -> RecallPass:
    """The pass with each memory in the version of that moment, without those that were not believed then.

    A memory is still found by the words that it has today.
    """
    then = (_candidate_as_of(each, versions.get(each.source_id), as_of) for each in found.candidates)
    return replace(found, candidates=tuple(each for each in then if each))


def memories_in(found: RecallPass) -> list[UUID]:
    """The memories among the candidates."""
    return [each.source_id for each in found.candidates if each.lane == "fact"]


def _candidate_as_of(candidate: CandidateRow, item: MemoryItem | None, as_of: datetime) -> CandidateRow | None:
    if candidate.lane != "fact":
        return candidate
    if item is None or item.status != "active":
        return None
    row = row_of_item(item, as_of)
    return replace(
        candidate,
        text=row.text,
        category=row.category,
        speaker=row.speaker,
        role=row.role,
        valid_at=row.valid_at,
        invalid_at=row.invalid_at,
        retired_at=row.retired_at,
        active=row.active,
        confidence=row.confidence,
        provenance=row.provenance,
        epistemic_type=row.epistemic_type,
        verified=row.verified,
    )
