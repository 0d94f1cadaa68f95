"""Memories with versions on PostgreSQL: each change is one transaction with its version, row, receipt and audit."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.contracts import (
    Author,
    Citation,
    Evidence,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    WriteReceipt,
)
from memory.item_changes import ItemChanges, Revise
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import cleanse, update_outdated_marks
from memory.postgres.index import index_cited_turns
from memory.postgres.item_versions import Revision, cite, find_receipt, get_item, record, save_item
from memory.postgres.writer import PostgresWriter, find_comparable
from memory.prior_extraction import PriorExtraction
from memory.revision import (
    MISMATCH,
    mark_item_stale,
    repair_item,
)
from memory.scope import Scope
from memory.write_decision import decide


@dataclass(frozen=True)
class PostgresItems(ItemChanges):
    """The promises are those of the port."""

    database: Database

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            session.execute("lock_slot", scope_params(scope) | {"slot": draft.slot})
            told = session.ask(
                "write_receipt_by_key", scope_params(scope) | {"idempotency_key": author.idempotency_key}, WriteReceipt
            )
            decision = decide(draft, await find_comparable(session, scope, draft))
            if told.rows:
                return told.rows[0]
            return await PostgresWriter(session, scope, author).carry_out(draft, decision)

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        async with self.database.scope_session(scope) as session:
            return await get_item(session, scope, memory_id)

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        if not memory_ids:
            return []
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "items_by_id", scope_params(scope) | {"memory_ids": list(memory_ids)}, MemoryItem
            )

    async def list_newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        params = scope_params(scope) | {"include_inactive": include_inactive, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("items_of_person", params, MemoryItem)

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "versions_of_item", scope_params(scope) | {"memory_id": memory_id}, MemoryVersion
            )

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        async with self.database.transaction(scope) as session:
            found = await session.fetch("evidence_of_item", scope_params(scope) | {"memory_id": memory_id}, Evidence)
            if not all(each.verified for each in found):
                await self._mark_stale(session, scope, memory_id)
        return found

    async def find_prior_extractions(self, scope: Scope, event_ids: Sequence[UUID]) -> list[PriorExtraction]:
        if not event_ids:
            return []
        async with self.database.scope_session(scope) as session:
            params = scope_params(scope) | {"event_ids": list(event_ids)}
            return await session.fetch("drawn_from_turns", params, PriorExtraction)

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            if told := await find_receipt(session, scope, author):
                return told
            held = await get_item(session, scope, memory_id)
            item = repair_item(held, author.at, rests_on_something=bool(citations))
            await save_item(session, scope, item)
            session.execute("drop_citations", scope_params(scope) | {"memory_id": memory_id})
            cite(session, scope, memory_id, tuple(citations))
            return record(session, scope, Revision(item=item, change="repair", author=author, action="repair"))

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        name, revised = change
        async with self.database.transaction(scope) as session:
            if told := await find_receipt(session, scope, author):
                return told
            item = revised(await get_item(session, scope, memory_id))
            await save_item(session, scope, item)
            if name == "restore":
                await index_cited_turns(session, scope, memory_id)
            if name in ("forget", "correct"):
                await cleanse(session, scope, item, author)
            if name == "restore":
                await update_outdated_marks(session, scope, item, author)
            return record(session, scope, Revision(item=item, change=name, author=author, action=name))

    async def _mark_stale(self, session: Transaction, scope: Scope, memory_id: UUID) -> None:
        item = await get_item(session, scope, memory_id)
        if item.stale:
            return
        author = Author(
            operator="system",
            reason=MISMATCH,
            idempotency_key=f"stale:{memory_id}:{item.version}",
            at=item.updated_at,
        )
        marked = mark_item_stale(item, author.at)
        await save_item(session, scope, marked)
        record(session, scope, Revision(item=marked, change="stale", author=author, action="stale"))
        session.execute("enqueue_repair", scope_params(scope) | {"memory_id": memory_id})
