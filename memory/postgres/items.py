"""Memories on PostgreSQL."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from uuid import UUID

from memory.contracts import ASKED_FOR, UNDO_HOURS, Citation, Evidence, MemoryItem, MemoryVersion, RecentChange
from memory.founding import verify_words
from memory.item_changes import ItemChanges
from memory.paging import Cursor, cursor_params
from memory.postgres.database import Database, scope_params
from memory.postgres.unit_of_work import begin_unit
from memory.revision import unknown_memory
from memory.scope import Scope
from memory.unit_of_work import UnitOfWork
from memory.writing import mark_stale


@dataclass(frozen=True, kw_only=True)
class _CitingItem(MemoryItem):
    event_id: UUID
    span_start: int
    span_end: int
    sha256: str

    @property
    def citation(self) -> Citation:
        return Citation(event_id=self.event_id, start=self.span_start, end=self.span_end, sha256=self.sha256)


@dataclass(frozen=True)
class _TouchedItem:
    item_id: UUID


@dataclass(frozen=True)
class PostgresItems(ItemChanges):
    """The promises are those of the port."""

    database: Database

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        async with self.database.scope_session(scope) as session:
            item = await session.fetch_one("item_by_id", scope_params(scope) | {"memory_id": memory_id}, MemoryItem)
        if item is None:
            raise unknown_memory()
        return item

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        if not memory_ids:
            return []
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "items_by_id", scope_params(scope) | {"memory_ids": list(memory_ids)}, MemoryItem
            )

    async def list_newest(
        self, scope: Scope, *, include_inactive: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[MemoryItem]:
        params = scope_params(scope) | cursor_params(after) | {"include_inactive": include_inactive, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("items_of_person", params, MemoryItem)

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "versions_of_item", scope_params(scope) | {"memory_id": memory_id}, MemoryVersion
            )

    async def recent_changes(self, scope: Scope, limit: int = 100) -> list[RecentChange]:
        params = scope_params(scope) | {"hours": UNDO_HOURS, "asked": ASKED_FOR, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("recent_changes", params, RecentChange)

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        async with begin_unit(self.database, scope) as unit:
            params = scope_params(scope) | {"memory_id": memory_id}
            found = await unit.session.fetch("evidence_of_item", params, Evidence)
            if not all(each.verified for each in found):
                await mark_stale(unit, memory_id)
            return verify_words(await unit.get(memory_id), found) if found else []

    async def find_prior_extractions(
        self, scope: Scope, event_ids: Sequence[UUID]
    ) -> list[tuple[MemoryItem, Citation]]:
        if not event_ids:
            return []
        async with self.database.scope_session(scope) as session:
            params = scope_params(scope) | {"event_ids": list(event_ids)}
            found = await session.fetch("drawn_from_turns", params, _CitingItem)
        return [(each, each.citation) for each in found]

    async def find_touched(self, scope: Scope, memory_ids: Sequence[UUID], operators: Sequence[str]) -> frozenset[UUID]:
        params = scope_params(scope) | {"memory_ids": list(memory_ids), "operators": list(operators)}
        async with self.database.scope_session(scope) as session:
            found = await session.fetch("touched_items", params, _TouchedItem)
        return frozenset(each.item_id for each in found)

    def _begin(self, scope: Scope) -> AbstractAsyncContextManager[UnitOfWork]:
        return begin_unit(self.database, scope)
