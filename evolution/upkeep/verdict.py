"""What upkeep may ask for, and the measures that its judgements share."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.conflicts import Settlement
from memory.memory_item import MemoryItem
from memory.provenance import provenance_level
from memory.recall.signals import decay_factor
from memory.upkeep import ActiveMemory, Consolidation, UpkeepChange

DOUBTFUL = 0.2
"""Below this a memory is a candidate to go (S0 section 2.3.2.5); as effective confidence it counts as outdated."""

LASTING = frozenset({"fact", "relation", "constraint", "summary"})
"""Types that age alone never makes untrue: a birthplace, a sister, an allergy."""


@dataclass(frozen=True, kw_only=True)
class ConflictSettlement:
    """How a contradiction ends."""

    conflict_id: UUID
    settlement: Settlement


Measure = UpkeepChange | Consolidation | ConflictSettlement
"""What upkeep may do: change one memory, put one in the place of several, or end a contradiction."""


@dataclass(frozen=True)
class UpkeepVerdict:
    """What upkeep asks for, and why in words for a person."""

    measure: Measure
    why: str


@dataclass(frozen=True)
class PlannedChange:
    """A verdict about memories: the one to change, or several of which the first speaks for all, or stays."""

    verdict: UpkeepVerdict
    items: tuple[MemoryItem, ...]


def days_between(earlier: datetime, later: datetime) -> float:
    """Days from one moment to another, negative when they stand the other way round."""
    return (later - earlier).total_seconds() / 86_400


def last_confirmation(living: ActiveMemory) -> datetime:
    """When the memory was last validated, or said."""
    return max(living.item.last_validated_at or living.said_at, living.said_at)


def effective_confidence(living: ActiveMemory, at: datetime) -> float:
    """How far it is still believed, by the time since it was last heard of (S0 section 2.3.2.5)."""
    return living.item.confidence * decay_factor(days_between(last_confirmation(living), at))


def is_user_confirmed(item: MemoryItem) -> bool:
    """Whether the user said it, or said that it is right."""
    return provenance_level(item) == "confirmed_by_user"
