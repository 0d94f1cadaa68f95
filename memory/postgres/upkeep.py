"""Upkeep on PostgreSQL: each change is one transaction with its version, row, receipt and audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory.contracts import Author, Change, MemoryItem, WriteReceipt
from memory.postgres.database import Database, of_scope
from memory.postgres.document_changes import remark
from memory.postgres.revising import Revision, answered, held_item, item_params, keep_version, record, save
from memory.postgres.session import Transaction
from memory.revision import ended
from memory.scope import Scope
from memory.upkeep import Alike, Consolidation, Feedback, Living, Tending
from memory.upkeep_rules import as_judged, consolidated, tended


@dataclass(frozen=True, kw_only=True)
class _Living(MemoryItem):
    said_at: datetime
    last_change: Change
    since: datetime
    uses: int
    welcome: int
    corrected: int
    corrected_in_a_row: int
    welcome_at: datetime | None


@dataclass(frozen=True)
class _Count:
    rows: int


@dataclass(frozen=True)
class _Locked:
    locked: bool


@dataclass(frozen=True)
class PostgresUpkeep:
    """The promises are those of the port."""

    database: Database

    async def living(self, scope: Scope, after: UUID, limit: int) -> list[Living]:
        params = of_scope(scope) | {"after": after, "limit": limit}
        async with self.database.scoped(scope) as session:
            return [_living(row) for row in await session.fetch("living_page", params, _Living)]

    async def replaced_often(self, scope: Scope) -> int:
        async with self.database.scoped(scope) as session:
            counted = await session.fetch_one("replaced_often", of_scope(scope), _Count)
        return counted.rows if counted else 0

    async def alike(self, scope: Scope, over: float, limit: int) -> list[Alike]:
        params = of_scope(scope) | {"over": over, "limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("alike_memories", params, Alike)

    async def tend(self, scope: Scope, tending: Tending, author: Author) -> WriteReceipt:
        async with self.database.transaction(scope) as session:
            if told := await answered(session, scope, author):
                return told
            item = tended(await held_item(session, scope, tending.memory_id), tending, author.at)
            await save(session, scope, item)
            if tending.status is not None:
                await remark(session, scope, item, author)
            return record(session, scope, _revision(item, tending.change, author))

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        ids = [memory_id for memory_id, _ in consolidation.members]
        async with self.database.transaction(scope) as session:
            await session.fetch("lock_item_slot", of_scope(scope) | {"memory_id": ids[0]}, _Locked)
            if told := await answered(session, scope, author):
                return told
            members = [await held_item(session, scope, memory_id) for memory_id in ids]
            as_judged(members, consolidation)
            item = consolidated(members, uuids.uuid7(), author.at)
            session.execute("insert_item", of_scope(scope) | item_params(item))
            await _put_in_place(session, scope, (item, members), author)
            return record(session, scope, _revision(item, "create", author))


async def _put_in_place(
    session: Transaction, scope: Scope, what: tuple[MemoryItem, Sequence[MemoryItem]], author: Author
) -> None:
    item, members = what
    inherited: Mapping[str, object] = {
        "memory_id": item.memory_id,
        "user_id": item.user_id,
        "members": [each.memory_id for each in members],
    }
    session.execute("inherit_citations", of_scope(scope) | inherited)
    for member in members:
        old = ended(member, item.memory_id, author.at, author.at)
        await save(session, scope, old)
        keep_version(session, scope, _revision(old, "consolidate", author))


def _revision(item: MemoryItem, change: Change, author: Author) -> Revision:
    return Revision(item=item, change=change, author=author, action="consolidate" if change == "create" else change)


def _living(row: _Living) -> Living:
    values: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(MemoryItem)}
    counted: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(Feedback)}
    return Living(
        item=MemoryItem(**values), feedback=Feedback(**counted), said_at=row.said_at, last_change=row.last_change
    )
