"""A memory that gives way to what its turns say when they are read again: pure changes."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from language.predicates import object_key
from memory.errors import BrainError
from memory.memory_item import MemoryDraft, MemoryItem
from memory.provenance import UNTIL, events_of
from memory.revision import next_version


@dataclass(frozen=True, kw_only=True)
class Rederivation:
    """What takes the place of a memory that still is at ``version``; without drafts nothing does, and it is retracted.

    Each draft cites a turn. The same words make the next version of the memory itself, unless as a value of another
    matter that has only one.
    """

    memory_id: UUID
    version: int
    drafts: tuple[MemoryDraft, ...]

    def read_anew(self, item: MemoryItem) -> MemoryDraft | None:
        """The draft that says the memory's own words, where it is the only one and competes with nothing else."""
        if len(self.drafts) != 1:
            return None
        (draft,) = self.drafts
        competes = draft.single_valued and draft.slot != item.slot
        return None if competes or object_key(draft.content) != object_key(item.content) else draft


def require_version(item: MemoryItem, version: int) -> None:
    """Raises ``E_CONFLICT`` unless this is the active memory that was read."""
    if item.status != "active" or item.version != version:
        raise BrainError("E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Run it again.")


def reread_item(item: MemoryItem, draft: MemoryDraft, at: datetime) -> MemoryItem:
    """The same words with another reading: kind, subject, value and the time for which they hold."""
    told = {name: value for name, value in item.provenance.items() if name != UNTIL}
    return next_version(
        item,
        at,
        memory_type=draft.item_type,
        epistemic_type=draft.epistemic_type,
        subject=draft.subject,
        predicate=draft.predicate,
        object=draft.object,
        category=draft.category,
        slot=draft.slot,
        valid_at=draft.valid_at,
        invalid_at=draft.invalid_at,
        provenance=told | ({UNTIL: draft.invalid_at.isoformat()} if draft.invalid_at else {}),
    )


def give_way(item: MemoryItem, heir: UUID | None, at: datetime) -> MemoryItem:
    """Superseded by its heir, or retracted without one. It holds for no time: what it said, its heirs say.

    Its own turns count as those that ended it: they are not contradicted by it.
    """
    return next_version(
        item,
        at,
        status="superseded" if heir else "retracted",
        superseded_by=heir,
        invalid_at=max(item.valid_at, item.observed_at),
        provenance={**item.provenance, "ended_by": events_of(item)},
    )
