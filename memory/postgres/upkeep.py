"""Upkeep on PostgreSQL: each change is one transaction with its version, row, receipt and audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory.contracts import Author, Change, MemoryItem, WriteReceipt
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import update_outdated_marks
from memory.postgres.item_versions import Revision, find_receipt, get_item, item_params, keep_version, record, save_item
from memory.revision import supersede_item
from memory.scope import Scope
from memory.upkeep import ActiveMemory, Consolidation, Feedback, SimilarPair, UpkeepChange
from memory.upkeep_rules import apply_upkeep, consolidate_items, require_same_versions


@dataclass(frozen=True, kw_only=True)
class _ActiveMemoryRow(MemoryItem):
    said_at: datetime
    last_change: Change
    since: datetime
    uses: int
    welcome: int
    corrected: int
    corrected_in_a_row: int
    welcome_at: datetime | None


@dataclass(frozen=True)
class _ReplacedCount:
    rows: int


@dataclass(frozen=True)
class _SlotLock:
    locked: bool


@dataclass(frozen=True)
class PostgresUpkeep:
    """The promises are those of the port."""

    database: Database

    async def list_active(self, scope: Scope, after: UUID, limit: int) -> list[ActiveMemory]:
        params = scope_params(scope) | {"after": after, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return [
                _active_memory_from_row(row) for row in await session.fetch("living_page", params, _ActiveMemoryRow)
            ]

    async def count_often_replaced(self, scope: Scope) -> int:
        async with self.database.scope_session(scope) as session:
            counted = await session.fetch_one("replaced_often", scope_params(scope), _ReplacedCount)
        return counted.rows if counted else 0

    async def find_similar(self, scope: Scope, over: float, limit: int) -> list[SimilarPair]:
        params = scope_params(scope) | {"over": over, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("alike_memories", params, SimilarPair)

    async def apply_change(self, scope: Scope, tending: UpkeepChange, author: Author) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            if told := await find_receipt(session, scope, author):
                return told
            item = apply_upkeep(await get_item(session, scope, tending.memory_id), tending, author.at)
            await save_item(session, scope, item)
            if tending.status is not None:
                await update_outdated_marks(session, scope, item, author)
            return record(session, scope, _revision(item, tending.change, author))

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        ids = [memory_id for memory_id, _ in consolidation.members]
        async with self.database.transaction(scope) as session:
            await session.fetch("lock_item_slot", scope_params(scope) | {"memory_id": ids[0]}, _SlotLock)
            if told := await find_receipt(session, scope, author):
                return told
            members = [await get_item(session, scope, memory_id) for memory_id in ids]
            require_same_versions(members, consolidation)
            item = consolidate_items(members, uuids.uuid7(), author.at)
            session.execute("insert_item", scope_params(scope) | item_params(item))
            await _supersede_members(session, scope, (item, members), author)
            return record(session, scope, _revision(item, "create", author))


async def _supersede_members(
    session: Transaction, scope: Scope, what: tuple[MemoryItem, Sequence[MemoryItem]], author: Author
) -> None:
    item, members = what
    inherited: Mapping[str, object] = {
        "memory_id": item.memory_id,
        "user_id": item.user_id,
        "members": [each.memory_id for each in members],
    }
    session.execute("inherit_citations", scope_params(scope) | inherited)
    for member in members:
        old = supersede_item(member, item.memory_id, author.at, author.at)
        await save_item(session, scope, old)
        keep_version(session, scope, _revision(old, "consolidate", author))


def _revision(item: MemoryItem, change: Change, author: Author) -> Revision:
    return Revision(item=item, change=change, author=author, action="consolidate" if change == "create" else change)


def _active_memory_from_row(row: _ActiveMemoryRow) -> ActiveMemory:
    values: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(MemoryItem)}
    counted: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(Feedback)}
    return ActiveMemory(
        item=MemoryItem(**values), feedback=Feedback(**counted), said_at=row.said_at, last_change=row.last_change
    )
