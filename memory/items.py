"""The port of memories: writing, changing and reading them."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from memory.memory_item import (
    Author,
    Citation,
    Evidence,
    ItemUse,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    RecentChange,
    WriteReceipt,
)
from memory.paging import Cursor
from memory.rederivation import Rederivation
from memory.scope import Scope


class MemoryItems(Protocol):
    """Facts with versions: nothing is overwritten, every change names who, why and what it replaced."""

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        """Remember one assertion: new, merged into an equal one, or superseding what held its slot.

        Taken again from a turn that it was taken from before, it changes nothing.
        """
        ...

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        """Raises ``E_NOT_FOUND`` for an unknown id and for another person's id alike."""
        ...

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        """Memories by id, in no order; unknown ids and those of others are absent."""
        ...

    async def list_newest(
        self, scope: Scope, *, include_inactive: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[MemoryItem]:
        """The last ones changed first: those behind ``after``, by the time of their change and their id."""
        ...

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        """All versions, oldest first."""
        ...

    async def recent_changes(self, scope: Scope, limit: int = 100) -> list[RecentChange]:
        """What went from this person's own memories within ``UNDO_HOURS`` by the database's clock, and what was noted
        because they asked for it in a conversation; the newest first, without what was changed again since.
        """
        ...

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        """Replace the content as the user states it: a new version, ``confirmed_by_user``."""
        ...

    async def restate(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        """Replace the content as a program concludes it: a new version that is believed no more than before.

        Raises ``E_CONFLICT`` for what a person said or confirmed.
        """
        ...

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        """The user vouches for it: confidence 1.0, validated now."""
        ...

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        """Soft delete: gone from every reading at once, kept in the history."""
        ...

    async def forget_chosen(self, scope: Scope, chosen: Mapping[UUID, int], author: Author) -> Sequence[UUID]:
        """Forget all of them, each of the version that was looked at, or none; those that it went from are told.

        What was forgotten before stays so. Raises ``E_CONFLICT`` where one was changed since, ``E_NOT_FOUND``.
        """
        ...

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        """Bring an earlier version back as a new one; its use stays what it is now."""
        ...

    async def set_use(self, scope: Scope, memory_id: UUID, use: ItemUse, author: Author) -> WriteReceipt:
        """Pin a memory, exclude it from use, or neither: ``merged`` says that it was so before.

        What is excluded, and the turns that say it, are in no reading until it is ``auto`` again; nothing of it is
        lost. Raises ``E_BAD_REQUEST`` for a forgotten memory, and for pinning one that has ended.
        """
        ...

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        """The cited turns, verified against their hashes now; a mismatch marks the memory stale, its repair waits."""
        ...

    async def find_prior_extractions(
        self, scope: Scope, event_ids: Sequence[UUID]
    ) -> list[tuple[MemoryItem, Citation]]:
        """What this person's turns left before, whatever became of it since: each memory by what it cites of a turn.

        In the order of turns (by id), places and memories.
        """
        ...

    async def find_resting_on(self, scope: Scope, words: Sequence[Citation]) -> list[UUID]:
        """The active memories that rest on some of these words; what is being written of them is waited for."""
        ...

    async def find_touched(self, scope: Scope, memory_ids: Sequence[UUID], operators: Sequence[str]) -> frozenset[UUID]:
        """Which of these memories somebody else than these operators changed, or contradicts in an open conflict.

        The first operator is the one who wrote them: what another began counts as touched.
        """
        ...

    async def rederive(self, scope: Scope, rederivation: Rederivation, author: Author) -> WriteReceipt:
        """Let a memory give way to what its turns say when they are read again; its history keeps it.

        Raises ``E_CONFLICT`` when the memory changed meanwhile.
        """
        ...

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        """Rest a memory on other citations; on none at all it is retracted."""
        ...
