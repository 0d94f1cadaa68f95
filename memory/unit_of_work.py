"""The steps of a change to one person's memories, which every store implements."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from memory.conflicts import Conflict, ConflictStatus
from memory.contracts import Action, Author, Change, Citation, MemoryDraft, MemoryItem, WriteReceipt
from memory.scope import Scope


class UnitOfWork(Protocol):
    """One person's memories during one change: all its steps take effect together or none does."""

    @property
    def scope(self) -> Scope:
        """Whose memories these are."""
        ...

    def new_id(self) -> UUID:
        """An id for what this change creates."""
        ...

    async def find_receipt(self, key: str) -> WriteReceipt | None:
        """The receipt that this idempotency key got before."""
        ...

    async def compare(self, draft: MemoryDraft, key: str) -> tuple[WriteReceipt | None, Sequence[MemoryItem]]:
        """The receipt of this key, and the memories that a draft is compared with; locks the slot until the end."""
        ...

    async def get(self, memory_id: UUID) -> MemoryItem:
        """The memory as it stands. Raises ``E_NOT_FOUND``."""
        ...

    async def lock_slot_of(self, memory_id: UUID) -> None:
        """One writer at a time of the slot in which this memory stands."""
        ...

    async def find_in_place(self, before: MemoryItem, item: MemoryItem) -> Sequence[MemoryItem]:
        """Living memories where a restored one would stand: those of its slot, and the one that had superseded it.

        Locks the slot until the end.
        """
        ...

    async def find_doubted_by(self, event_ids: Sequence[str]) -> Sequence[MemoryItem]:
        """The person's living memories that one of these turns leaves in doubt, wholly or in part."""
        ...

    async def put(self, item: MemoryItem) -> None:
        """Store a first version, or the next one. Raises ``E_CONFLICT`` when another writer was first."""
        ...

    def cite(self, memory_id: UUID, citations: Sequence[Citation]) -> None:
        """Add the turns that a memory rests on; known ones stay."""
        ...

    def drop_citations(self, memory_id: UUID) -> None:
        """The memory rests on nothing for now; its versions still tell what it rested on."""
        ...

    def inherit_citations(self, heir: MemoryItem, members: Sequence[UUID]) -> None:
        """Let a memory also rest on what others rest on."""
        ...

    def keep_version(self, item: MemoryItem, change: Change, author: Author, action: Action | Change) -> None:
        """Put the new state in history, audit and index, and weigh its turns anew.

        Conflicts of what has ended are settled by that; what was deleted leaves the index together with its turns.
        """
        ...

    def keep_receipt(self, receipt: WriteReceipt, author: Author, action: Action | Change) -> None:
        """Answer the author's idempotency key by this receipt from now on."""
        ...

    async def get_conflict(self, conflict_id: UUID) -> Conflict:
        """A conflict, locked until the end. Raises ``E_NOT_FOUND``."""
        ...

    def open_conflict(self, conflict: Conflict) -> None:
        """Two memories that cannot both be true; one that was discarded is open again, another that is known stays."""
        ...

    def settle_conflict(self, conflict: Conflict, status: ConflictStatus, author: Author) -> None:
        """The conflict is over, with its entry in the audit."""
        ...

    async def index_cited_turns(self, memory_id: UUID) -> None:
        """Make the turns of a restored memory findable again."""
        ...

    def withdraw_covering_summaries(self, memory_id: UUID) -> None:
        """Let summaries that stand for the turns of a memory be worded anew: they may quote it again."""
        ...

    async def cleanse_documents(self, item: MemoryItem, author: Author) -> None:
        """Take what was made of a memory out of every document and every kept version of one."""
        ...

    async def hide_in_documents(self, item: MemoryItem, author: Author) -> None:
        """Hide what documents tell of an excluded memory in comments; show it again of one that is not excluded."""
        ...

    async def mark_documents(self, item: MemoryItem, author: Author) -> None:
        """Say in every document that tells of a memory whether it has ended."""
        ...

    def enqueue_repair(self, memory_id: UUID) -> None:
        """Ask for the evidence of a memory to be looked at again."""
        ...
