"""Memories with versions on PostgreSQL: each change is one transaction with its version, row, receipt and audit."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

import uuid_utils.compat as uuids
from psycopg.types.json import Jsonb

from memory.contracts import (
    RECEIPT_SCHEMA_VERSION,
    Action,
    Author,
    Change,
    Citation,
    Evidence,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    WriteReceipt,
)
from memory.errors import BrainError
from memory.index_rows import row_of_item
from memory.postgres.database import Database
from memory.postgres.index import fact_params, of_scope, show_cited_turns
from memory.postgres.session import Session, Transaction
from memory.revision import (
    MISMATCH,
    born,
    confirmed,
    corrected,
    decide,
    ended,
    forgotten,
    from_snapshot,
    marked_stale,
    merged,
    recited,
    restored,
    snapshot,
    unknown_memory,
)
from memory.scope import Scope


@dataclass(frozen=True)
class _Locked:
    locked: bool


@dataclass(frozen=True)
class _Written:
    item_id: UUID


@dataclass(frozen=True, kw_only=True)
class _Revision:
    """One change on its way into the tables."""

    item: MemoryItem
    change: Change
    author: Author
    action: Action | Change
    status: Literal["accepted", "merged"] = "accepted"


@dataclass(frozen=True)
class PostgresItems:
    """The promises are those of the port."""

    database: Database

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            slot = of_scope(scope) | {"slot": draft.slot}
            await session.fetch("lock_slot", slot, _Locked)
            if answered := await _answered(session, scope, author):
                return answered
            decision = decide(draft, await session.fetch("slot_holders", slot, MemoryItem))
            if decision.action == "merge":
                return await self._merge(session, scope, (draft, decision.targets[0]), author)
            item = born(draft, uuids.uuid7(), scope.user_id, author.at)
            session.execute("insert_item", of_scope(scope) | _item_params(item))
            _cite(session, scope, item.memory_id, draft.citations)
            revision = _Revision(item=item, change="create", author=author, action=decision.action)
            receipt = _record(session, scope, revision)
            for old in decision.targets if decision.action == "supersede" else ():
                await self._supersede(session, scope, (old, item, draft.valid_at), author)
            return receipt

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        async with self.database.scoped(scope) as session:
            return await _item(session, scope, memory_id)

    async def newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        params = of_scope(scope) | {"include_inactive": include_inactive, "limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("items_of_person", params, MemoryItem)

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("versions_of_item", of_scope(scope) | {"memory_id": memory_id}, MemoryVersion)

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("correct", lambda i: corrected(i, content, author.at)), author)

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("confirm", lambda i: confirmed(i, author.at)), author)

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("forget", lambda i: forgotten(i, author.at)), author)

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        versions = await self.history(scope, memory_id)
        earlier = next((each for each in versions if each.version == version), None)
        if earlier is None:
            raise unknown_memory()
        past = from_snapshot(earlier.snapshot)
        return await self._revise(scope, memory_id, ("restore", lambda i: restored(i, past, author.at)), author)

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        async with self.database.transaction(scope) as session:
            found = await session.fetch("evidence_of_item", of_scope(scope) | {"memory_id": memory_id}, Evidence)
            if not all(each.verified for each in found):
                await self._mark_stale(session, scope, memory_id)
        return found

    async def recite(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            if answered := await _answered(session, scope, author):
                return answered
            held = await _item(session, scope, memory_id)
            item = recited(held, author.at, rests_on_something=bool(citations))
            await _update(session, scope, item)
            session.execute("drop_citations", of_scope(scope) | {"memory_id": memory_id})
            _cite(session, scope, memory_id, tuple(citations))
            return _record(session, scope, _Revision(item=item, change="repair", author=author, action="repair"))

    async def _merge(
        self, session: Transaction, scope: Scope, pair: tuple[MemoryDraft, MemoryItem], author: Author
    ) -> WriteReceipt:
        draft, held = pair
        item = merged(held, draft, author.at)
        await _update(session, scope, item)
        _cite(session, scope, item.memory_id, draft.citations)
        revision = _Revision(item=item, change="merge", author=author, action="merge", status="merged")
        return _record(session, scope, revision)

    async def _supersede(
        self, session: Transaction, scope: Scope, what: tuple[MemoryItem, MemoryItem, datetime], author: Author
    ) -> None:
        old, new, until = what
        item = ended(old, new.memory_id, until, author.at)
        await _update(session, scope, item)
        _keep_version(session, scope, _Revision(item=item, change="supersede", author=author, action="supersede"))

    async def _revise(
        self, scope: Scope, memory_id: UUID, change: tuple[Change, Callable[[MemoryItem], MemoryItem]], author: Author
    ) -> WriteReceipt:
        name, revised = change
        async with self.database.transaction(scope) as session:
            if answered := await _answered(session, scope, author):
                return answered
            item = revised(await _item(session, scope, memory_id))
            await _update(session, scope, item)
            if name == "restore":
                await show_cited_turns(session, scope, memory_id)
            return _record(session, scope, _Revision(item=item, change=name, author=author, action=name))

    async def _mark_stale(self, session: Transaction, scope: Scope, memory_id: UUID) -> None:
        item = await _item(session, scope, memory_id)
        if item.stale:
            return
        author = Author(
            operator="system",
            reason=MISMATCH,
            idempotency_key=f"stale:{memory_id}:{item.version}",
            at=item.updated_at,
        )
        marked = marked_stale(item, author.at)
        await _update(session, scope, marked)
        _record(session, scope, _Revision(item=marked, change="stale", author=author, action="stale"))
        session.execute("enqueue_repair", of_scope(scope) | {"memory_id": memory_id})


def _record(session: Session, scope: Scope, revision: _Revision) -> WriteReceipt:
    _keep_version(session, scope, revision)
    receipt = WriteReceipt(
        receipt_id=uuids.uuid7(),
        memory_id=revision.item.memory_id,
        written_at=revision.author.at,
        status=revision.status,
    )
    answer = {"receipt_id": receipt.receipt_id, "status": receipt.status, "schema_version": RECEIPT_SCHEMA_VERSION}
    session.execute("insert_write_receipt", _revision_params(scope, revision) | answer)
    return receipt


def _keep_version(session: Session, scope: Scope, revision: _Revision) -> None:
    params = _revision_params(scope, revision)
    session.execute("insert_version", params)
    session.execute("insert_audit", params)
    if revision.item.status == "deleted":
        session.execute("drop_row", params)
        session.execute("hide_cited_turns", params)
        return
    row = of_scope(scope) | fact_params(row_of_item(revision.item, revision.author.at))
    for statement in ("drop_outdated_row", "refresh_row", "index_fact"):
        session.execute(statement, row)


async def _answered(session: Session, scope: Scope, author: Author) -> WriteReceipt | None:
    params = of_scope(scope) | {"idempotency_key": author.idempotency_key}
    return await session.fetch_one("write_receipt_by_key", params, WriteReceipt)


async def _item(session: Session, scope: Scope, memory_id: UUID) -> MemoryItem:
    item = await session.fetch_one("item_by_id", of_scope(scope) | {"memory_id": memory_id}, MemoryItem)
    if item is None:
        raise unknown_memory()
    return item


async def _update(session: Session, scope: Scope, item: MemoryItem) -> None:
    if not await session.fetch("update_item", of_scope(scope) | _item_params(item), _Written):
        raise BrainError(
            "E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Read it again, then retry."
        )


def _cite(session: Session, scope: Scope, memory_id: UUID, citations: tuple[Citation, ...]) -> None:
    if citations:
        params = {
            "memory_id": memory_id,
            "event_ids": [each.event_id for each in citations],
            "starts": [each.start for each in citations],
            "ends": [each.end for each in citations],
            "sha256s": [each.sha256 for each in citations],
        }
        session.execute("insert_citations", of_scope(scope) | params)


def _item_params(item: MemoryItem) -> dict[str, object]:
    arrays = {"source_sessions": list(item.source_sessions), "provenance": Jsonb(dict(item.provenance))}
    return {**asdict(item), **arrays}


def _revision_params(scope: Scope, revision: _Revision) -> dict[str, object]:
    author, item = revision.author, revision.item
    return of_scope(scope) | {
        "memory_id": item.memory_id,
        "user_id": item.user_id,
        "version": item.version,
        "change": revision.change,
        "snapshot": Jsonb(snapshot(item)),
        "action": revision.action,
        "source_id": item.superseded_by,
        "reason": author.reason,
        "operator": author.operator,
        "trace_id": author.trace_id,
        "idempotency_key": author.idempotency_key,
        "at": author.at,
    }
