"""How a memory changes when its thread leaves the turns that it rests on behind, or returns to them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.memory_item import Change, MemoryItem
from memory.provenance import ENDED_AT, own_end, without_ending

MOVED = "the thread went on from another turn"
"""The reason of such a change."""
BEFORE = "before_left"
"""Field of a provenance: how the memory stood before its turns were left behind."""
ENDINGS = "endings_left"
"""Field of a provenance: how the memory had ended by what was left behind since."""


@dataclass(frozen=True)
class LeftBehind:
    """The memories and the turns that do not count now."""

    memories: frozenset[UUID]
    events: frozenset[str]

    def is_cause(self, ending: Mapping[str, Any]) -> bool:
        """Whether what ended a memory does not count."""
        if ending["superseded_by"]:
            return UUID(ending["superseded_by"]) in self.memories
        return bool(ending["ended_by"]) and self.events.issuperset(ending["ended_by"])


def leave_or_return(item: MemoryItem, at: datetime) -> tuple[Change, MemoryItem]:
    """A memory whose turns are left behind, or one whose turns count again."""
    if item.status != "left":
        told = {**item.provenance, BEFORE: item.status}
        return "leave", _next(item, at, status="left", provenance=told)
    told = {name: value for name, value in item.provenance.items() if name != BEFORE}
    return "return", _next(item, at, status=item.provenance.get(BEFORE, "active"), provenance=told)


def settle_ending(item: MemoryItem, left: LeftBehind, at: datetime) -> tuple[Change, MemoryItem] | None:
    """A memory that lives again because what ended it does not count, or that ends again; None when neither is so."""
    endings = _endings_of(item)
    if item.status in ("superseded", "retracted") and left.is_cause(ending := _ending_of(item)):
        told = {**without_ending(item.provenance), ENDINGS: [*endings, ending], "ended_by": []}
        return "resume", _next(item, at, status="active", superseded_by=None, invalid_at=own_end(item), provenance=told)
    again = next((each for each in endings if not left.is_cause(each)), None) if item.status == "active" else None
    if again is None:
        return None
    told = {**item.provenance, ENDINGS: [each for each in endings if each != again], "ended_by": again["ended_by"]}
    if again.get(ENDED_AT):
        told[ENDED_AT] = again[ENDED_AT]
    by = UUID(again["superseded_by"]) if again["superseded_by"] else None
    until = datetime.fromisoformat(again["invalid_at"]) if again["invalid_at"] else None
    return "end", _next(item, at, status=again["status"], superseded_by=by, invalid_at=until, provenance=told)


def _endings_of(item: MemoryItem) -> list[dict[str, Any]]:
    known: Any = item.provenance.get(ENDINGS, [])
    return list(known)


def _ending_of(item: MemoryItem) -> dict[str, Any]:
    return {
        "status": item.status,
        "superseded_by": str(item.superseded_by or ""),
        "invalid_at": item.invalid_at.isoformat() if item.invalid_at else "",
        "ended_by": item.provenance.get("ended_by", []),
        ENDED_AT: item.provenance.get(ENDED_AT, ""),
    }


def _next(item: MemoryItem, at: datetime, **changes: Any) -> MemoryItem:
    return replace(item, version=item.version + 1, updated_at=at, **changes)
