"""The steps of a change on PostgreSQL: row, citations, version, index, receipt and audit, in one transaction."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from uuid import UUID

import uuid_utils.compat as uuids
from psycopg.types.json import Jsonb

from memory.conflicts import Conflict, ConflictStatus, unknown_conflict
from memory.errors import BrainError, unknown_memory
from memory.index_rows import row_of_item
from memory.memory_item import Action, Author, Change, Citation, MemoryDraft, MemoryItem, WriteReceipt
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import cleanse, hide_excluded, update_outdated_marks
from memory.postgres.index import index_cited_turns
from memory.postgres.index_params import row_params, standing_params
from memory.provenance import events_of
from memory.receipts import RECEIPT_SCHEMA_VERSION
from memory.scope import Scope
from memory.versions import snapshot


@dataclass(frozen=True)
class _WrittenItem:
    item_id: UUID


@dataclass(frozen=True)
class _SlotLock:
    locked: bool


@dataclass(frozen=True)
class _RestingItem:
    memory_id: UUID


@dataclass(frozen=True)
class UnitOfWork:
    """One person's memories during one change: all its steps take effect together or none does."""

    session: Transaction
    scope: Scope

    def new_id(self) -> UUID:
        """An id for what this change creates."""
        return uuids.uuid7()

    async def find_receipt(self, key: str) -> WriteReceipt | None:
        """The receipt that this idempotency key got before."""
        return await self.session.fetch_one("write_receipt_by_key", self._params(idempotency_key=key), WriteReceipt)

    async def compare(self, draft: MemoryDraft, key: str) -> tuple[WriteReceipt | None, Sequence[MemoryItem]]:
        """The receipt of this key, and the memories that a draft is compared with; locks slot and turns until the end.

        Who forgets words of these turns meanwhile waits for what is written, and finds it (``find_resting_on``).
        """
        words = _words_params(draft.citations)
        self._execute("lock_slot", slot=draft.slot)
        self._execute("lock_cited_turns", event_ids=words["event_ids"])
        answered = self.session.ask("write_receipt_by_key", self._params(idempotency_key=key), WriteReceipt)
        params = self._params(
            slot=draft.slot, replaces_memory=draft.replaces_memory, observed_at=draft.observed_at, **words
        )
        beside = await self.session.fetch("memories_beside", params, MemoryItem)
        return next(iter(answered.rows), None), beside

    async def find_resting_on(self, words: Sequence[Citation]) -> list[UUID]:
        """The active memories that rest on some of these words, those included that are being written now."""
        params = self._params(**_words_params(words))
        self.session.execute("lock_cited_turns", params)
        return [each.memory_id for each in await self.session.fetch("memories_on_words", params, _RestingItem)]

    async def get(self, memory_id: UUID) -> MemoryItem:
        """The memory as it stands. Raises ``E_NOT_FOUND``."""
        item = await self.session.fetch_one("item_by_id", self._params(memory_id=memory_id), MemoryItem)
        if item is None:
            raise unknown_memory()
        return item

    async def lock_slot_of(self, memory_id: UUID) -> None:
        """One writer at a time of the slot in which this memory stands."""
        await self.session.fetch("lock_item_slot", self._params(memory_id=memory_id), _SlotLock)

    async def find_in_place(self, before: MemoryItem, item: MemoryItem) -> Sequence[MemoryItem]:
        """Living memories where a restored one would stand: those of its slot, and the one that had superseded it.

        Locks the slot until the end.
        """
        self._execute("lock_slot", slot=item.slot)
        params = self._params(slot=item.slot, superseded_by=before.superseded_by, memory_id=item.memory_id)
        return await self.session.fetch("memories_in_place", params, MemoryItem)

    async def find_doubted_by(self, event_ids: Sequence[str]) -> Sequence[MemoryItem]:
        """The person's living memories that one of these turns leaves in doubt, wholly or in part."""
        return await self.session.fetch("memories_doubted_by", self._params(event_ids=list(event_ids)), MemoryItem)

    async def put(self, item: MemoryItem) -> None:
        """Store a first version, or the next one. Raises ``E_CONFLICT`` when another writer was first."""
        arrays = {"source_sessions": list(item.source_sessions), "provenance": Jsonb(dict(item.provenance))}
        params = self._params(**asdict(item) | arrays)
        if item.version == 1:
            self.session.execute("insert_item", params)
        elif not await self.session.fetch("update_item", params, _WrittenItem):
            raise BrainError(
                "E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Read it again, then retry."
            )

    def cite(self, memory_id: UUID, citations: Sequence[Citation]) -> None:
        """Add the turns that a memory rests on; known ones stay."""
        if citations:
            self._execute(
                "insert_citations",
                memory_id=memory_id,
                event_ids=[each.event_id for each in citations],
                starts=[each.start for each in citations],
                ends=[each.end for each in citations],
                sha256s=[each.sha256 for each in citations],
            )

    def drop_citations(self, memory_id: UUID) -> None:
        """The memory rests on nothing for now; its versions still tell what it rested on."""
        self._execute("drop_citations", memory_id=memory_id)

    def inherit_citations(self, heir: MemoryItem, members: Sequence[UUID]) -> None:
        """Let a memory also rest on what others rest on."""
        self._execute("inherit_citations", memory_id=heir.memory_id, user_id=heir.user_id, members=list(members))

    def keep_version(self, item: MemoryItem, change: Change, author: Author, action: Action | Change) -> None:
        """Put the new state in history, audit and index, and weigh its turns anew.

        Conflicts of what has ended are settled by that; what was deleted leaves the index together with its turns.
        """
        params = self._params(memory_id=item.memory_id, user_id=item.user_id, **_author_params(author))
        version = {"version": item.version, "change": change, "snapshot": Jsonb(snapshot(item))}
        self.session.execute("insert_version", params | version)
        self.session.execute("insert_audit", params | {"action": action, "source_id": item.superseded_by})
        if item.status != "active":
            self.session.execute("settle_conflicts_of_ended", params)
        if item.is_withheld:
            for statement in ("drop_row", "hide_cited_turns", "withdraw_summaries", "clear_slots"):
                self.session.execute(statement, params)
        elif item.status == "left":
            self.session.execute("drop_row", params)
        else:
            self._index(item, author)

    def keep_receipt(self, receipt: WriteReceipt, author: Author, action: Action | Change) -> None:
        """Answer the author's idempotency key by this receipt from now on."""
        self._execute(
            "insert_write_receipt",
            receipt_id=receipt.receipt_id,
            memory_id=receipt.memory_id,
            status=receipt.status,
            schema_version=RECEIPT_SCHEMA_VERSION,
            action=action,
            **_author_params(author),
        )

    async def get_conflict(self, conflict_id: UUID) -> Conflict:
        """A conflict, locked until the end. Raises ``E_NOT_FOUND``."""
        conflict = await self.session.fetch_one("conflict_by_id", self._params(conflict_id=conflict_id), Conflict)
        if conflict is None:
            raise unknown_conflict()
        return conflict

    def open_conflict(self, conflict: Conflict) -> None:
        """Two memories that cannot both be true; one that was discarded is open again, another that is known stays."""
        self._execute("open_conflict", at=conflict.opened_at, operator=conflict.opened_by, **asdict(conflict))

    def settle_conflict(self, conflict: Conflict, status: ConflictStatus, author: Author) -> None:
        """The conflict is over, with its entry in the audit."""
        params = _author_params(author)
        self._execute("settle_conflict", conflict_id=conflict.conflict_id, status=status, **params)
        about = {"source_id": conflict.held_id, "memory_id": conflict.new_id}
        self._execute("insert_audit", action=f"conflict_{status}", **about, **params)

    async def index_cited_turns(self, memory_id: UUID) -> None:
        """Make the turns of a restored memory findable again."""
        await index_cited_turns(self.session, self.scope, memory_id)

    def withdraw_covering_summaries(self, memory_id: UUID) -> None:
        """Let summaries that stand for the turns of a memory be worded anew: they may quote it again."""
        self._execute("withdraw_covering_summaries", memory_id=memory_id)

    async def cleanse_documents(self, item: MemoryItem, author: Author) -> None:
        """Take what was made of a memory out of every document and every kept version of one."""
        await cleanse(self.session, self.scope, item, author)

    async def hide_in_documents(self, item: MemoryItem, author: Author) -> None:
        """Hide what documents tell of an excluded memory in comments; show it again of one that is not excluded."""
        await hide_excluded(self.session, self.scope, item, author)

    async def mark_documents(self, item: MemoryItem, author: Author) -> None:
        """Say in every document that tells of a memory whether it has ended."""
        await update_outdated_marks(self.session, self.scope, item, author)

    def enqueue_repair(self, memory_id: UUID) -> None:
        """Ask for the evidence of a memory to be looked at again."""
        self._execute("enqueue_repair", memory_id=memory_id)

    def _index(self, item: MemoryItem, author: Author) -> None:
        row = self._params(**row_params(row_of_item(item, author.at)))
        for statement in ("drop_outdated_row", "refresh_row", "index_fact"):
            self.session.execute(statement, row)
        turns = self._params(event_ids=[UUID(event) for event in events_of(item)], **standing_params())
        for statement in ("lock_turns", "weigh_turns"):
            self.session.execute(statement, turns)

    def _execute(self, statement: str, **params: object) -> None:
        self.session.execute(statement, self._params(**params))

    def _params(self, **params: object) -> dict[str, object]:
        return scope_params(self.scope) | params


def _words_params(words: Sequence[Citation]) -> dict[str, object]:
    return {
        "event_ids": [each.event_id for each in words],
        "starts": [each.start for each in words],
        "ends": [each.end for each in words],
    }


def _author_params(author: Author) -> dict[str, object]:
    return {
        "reason": author.reason,
        "operator": author.operator,
        "trace_id": author.trace_id,
        "idempotency_key": author.idempotency_key,
        "at": author.at,
    }


@asynccontextmanager
async def begin_unit(database: Database, scope: Scope) -> AsyncGenerator[UnitOfWork]:
    """A unit of work in a transaction of its own: committed when it is left, undone by an error."""
    async with database.transaction(scope) as session:
        yield UnitOfWork(session, scope)
