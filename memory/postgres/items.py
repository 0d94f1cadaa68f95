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
from memory.deciding import decide
from memory.drawn import DrawnMemory
from memory.item_changes import ItemChanges, Revise
from memory.postgres.database import Database, of_scope
from memory.postgres.document_changes import cleanse, remark
from memory.postgres.index import show_cited_turns
from memory.postgres.revising import Revision, answered, cite, held_item, record, save
from memory.postgres.session import Transaction
from memory.postgres.writing import Writing, beside
from memory.revision import (
    MISMATCH,
    marked_stale,
    recited,
)
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresItems(ItemChanges):
    """The promises are those of the port."""

    database: Database

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            session.execute("lock_slot", of_scope(scope) | {"slot": draft.slot})
            told = session.ask(
                "write_receipt_by_key", of_scope(scope) | {"idempotency_key": author.idempotency_key}, WriteReceipt
            )
            decision = decide(draft, await beside(session, scope, draft))
            if told.rows:
                return told.rows[0]
            return await Writing(session, scope, author).carry_out(draft, decision)

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        async with self.database.scoped(scope) as session:
            return await held_item(session, scope, memory_id)

    async def several(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        if not memory_ids:
            return []
        async with self.database.scoped(scope) as session:
            return await session.fetch("items_by_id", of_scope(scope) | {"memory_ids": list(memory_ids)}, MemoryItem)

    async def newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        params = of_scope(scope) | {"include_inactive": include_inactive, "limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("items_of_person", params, MemoryItem)

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("versions_of_item", of_scope(scope) | {"memory_id": memory_id}, MemoryVersion)

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        async with self.database.transaction(scope) as session:
            found = await session.fetch("evidence_of_item", of_scope(scope) | {"memory_id": memory_id}, Evidence)
            if not all(each.verified for each in found):
                await self._mark_stale(session, scope, memory_id)
        return found

    async def drawn(self, scope: Scope, event_ids: Sequence[UUID]) -> list[DrawnMemory]:
        if not event_ids:
            return []
        async with self.database.scoped(scope) as session:
            params = of_scope(scope) | {"event_ids": list(event_ids)}
            return await session.fetch("drawn_from_turns", params, DrawnMemory)

    async def recite(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            if told := await answered(session, scope, author):
                return told
            held = await held_item(session, scope, memory_id)
            item = recited(held, author.at, rests_on_something=bool(citations))
            await save(session, scope, item)
            session.execute("drop_citations", of_scope(scope) | {"memory_id": memory_id})
            cite(session, scope, memory_id, tuple(citations))
            return record(session, scope, Revision(item=item, change="repair", author=author, action="repair"))

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        name, revised = change
        async with self.database.transaction(scope) as session:
            if told := await answered(session, scope, author):
                return told
            item = revised(await held_item(session, scope, memory_id))
            await save(session, scope, item)
            if name == "restore":
                await show_cited_turns(session, scope, memory_id)
            if name in ("forget", "correct"):
                await cleanse(session, scope, item, author)
            if name == "restore":
                await remark(session, scope, item, author)
            return record(session, scope, Revision(item=item, change=name, author=author, action=name))

    async def _mark_stale(self, session: Transaction, scope: Scope, memory_id: UUID) -> None:
        item = await held_item(session, scope, memory_id)
        if item.stale:
            return
        author = Author(
            operator="system",
            reason=MISMATCH,
            idempotency_key=f"stale:{memory_id}:{item.version}",
            at=item.updated_at,
        )
        marked = marked_stale(item, author.at)
        await save(session, scope, marked)
        record(session, scope, Revision(item=marked, change="stale", author=author, action="stale"))
        session.execute("enqueue_repair", of_scope(scope) | {"memory_id": memory_id})
