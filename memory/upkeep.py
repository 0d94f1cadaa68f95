"""The port of upkeep: living memories and their use, memories that say the same twice, and restorable changes."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Any, Protocol
from uuid import UUID

from memory.errors import BrainError
from memory.levels import MemoryCounts
from memory.memory_item import Author, Change, EpistemicType, ItemStatus, MemoryItem, WriteReceipt
from memory.provenance import CAPS, DOUBTED, OVERHEARD, RANK, UNTIL, events_of, is_own_word, provenance_level
from memory.scope import Scope

PAGE = 500
_LOWEST_ID = UUID(int=0)
_TENDED = ("confidence", "epistemic_type", "status", "content", "last_validated_at")


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """How people took the replies that drew on a memory, since it says what it says (``since``).

    A use is an injection that the reply drew on and the next user turn answered; a memory that merely stood in the
    prompt is not judged by what was said about something else. ``corrected_in_a_row`` counts from the last welcome.
    """

    since: datetime
    uses: int = 0
    welcome: int = 0
    corrected: int = 0
    corrected_in_a_row: int = 0
    welcome_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ActiveMemory:
    """An active memory. ``said_at`` is when the newest turn it rests on was spoken, or a person brought it back.

    ``last_change`` is what made its newest version.
    """

    item: MemoryItem
    feedback: Feedback
    said_at: datetime
    last_change: Change


@dataclass(frozen=True, kw_only=True)
class SimilarPair:
    """Two active memories of one slot, both for or both against, and how near they are (0 to 1)."""

    a: UUID
    b: UUID
    similarity: float


@dataclass(frozen=True, kw_only=True)
class UpkeepChange:
    """The next version of a memory that still is at ``version``; None leaves a field as it is.

    ``provenance`` is added to the memory's own.
    """

    memory_id: UUID
    version: int
    change: Change
    confidence: float | None = None
    epistemic_type: EpistemicType | None = None
    status: ItemStatus | None = None
    content: str | None = None
    last_validated_at: datetime | None = None
    provenance: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def shows_in_documents(self) -> bool:
        """Whether documents tell of the memory otherwise afterwards."""
        return self.status is not None or DOUBTED in self.provenance

    @property
    def new_values(self) -> dict[str, Any]:
        """The fields that do not stay as they are, ``provenance`` aside."""
        told = {name: getattr(self, name) for name in _TENDED}
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Consolidation:
    """Memories that say the same, with the versions in which they were compared: ``members[0]`` says it best."""

    members: tuple[tuple[UUID, int], ...]


class Upkeep(Protocol):
    """What tidying one person's memories needs. Nothing is ever removed: each change is a version that can go back."""

    async def list_active(self, scope: Scope, after: UUID, limit: int) -> list[ActiveMemory]:
        """Active memories that are not excluded from use, with an id beyond ``after``, in the order of their ids."""
        ...

    async def count_memories(self, scope: Scope, at: datetime) -> MemoryCounts:
        """The living memories by what is wrong with them, by the statement that counts a tenant's.

        Replacements count when the last of them is within the window of conflicts; tidying does not count as one.
        """
        ...

    async def find_similar(self, scope: Scope, over: float, limit: int) -> list[SimilarPair]:
        """Pairs nearer than ``over``, nearest first, among the 1,000 active memories that changed last.

        Nearness is the cosine of the vectors where both have one of the same model, otherwise Dice's share of common
        index words. Memories whose evidence is in doubt take no part, nor do those that a person pinned or excluded.
        """
        ...

    async def apply_change(self, scope: Scope, tending: UpkeepChange, author: Author) -> WriteReceipt:
        """Write the next version. Raises ``E_CONFLICT`` when the memory changed meanwhile, ``E_NOT_FOUND``."""
        ...

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        """One memory in the place of several, resting on all their evidence; they end as superseded by it.

        Raises ``E_CONFLICT`` when one of them changed meanwhile, ``E_NOT_FOUND``.
        """
        ...


def apply_upkeep(item: MemoryItem, tending: UpkeepChange, at: datetime) -> MemoryItem:
    """The next version. Raises ``E_CONFLICT`` when it is no longer the memory that was judged."""
    if item.version != tending.version or item.status != "active":
        raise _upkeep_conflict_error()
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
    ends = [each.invalid_at for each in members if each.invalid_at]
    until = max(ends) if len(ends) == len(members) else None
    if until:
        provenance[UNTIL] = until.isoformat()
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
        invalid_at=until,
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
            raise _upkeep_conflict_error()


def _upkeep_conflict_error() -> BrainError:
    """What was judged is not what stands there now."""
    return BrainError("E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Upkeep will look again.")


async def iterate_living(upkeep: Upkeep, scope: Scope) -> AsyncIterator[ActiveMemory]:
    """All of them in the order of their ids, one page in memory at a time."""
    after = _LOWEST_ID
    while page := await upkeep.list_active(scope, after, PAGE):
        for living in page:
            yield living
        after = page[-1].item.memory_id
