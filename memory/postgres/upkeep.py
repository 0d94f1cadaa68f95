"""Upkeep on PostgreSQL."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.levels import CONFLICT_WINDOW, MemoryCounts
from memory.memory_item import Author, Change, MemoryItem, WriteReceipt
from memory.postgres.database import Database, scope_params
from memory.postgres.unit_of_work import begin_unit
from memory.postgres.writing import Writing
from memory.scope import Scope
from memory.upkeep import ActiveMemory, Consolidation, Feedback, SimilarPair, UpkeepChange


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
class PostgresUpkeep:
    """The promises are those of the port."""

    database: Database

    async def list_active(self, scope: Scope, after: UUID, limit: int) -> list[ActiveMemory]:
        params = scope_params(scope) | {"after": after, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return [
                _active_memory_from_row(row) for row in await session.fetch("living_page", params, _ActiveMemoryRow)
            ]

    async def count_memories(self, scope: Scope, at: datetime) -> MemoryCounts:
        params = scope_params(scope) | {"since": at - CONFLICT_WINDOW, "at": at}
        async with self.database.scope_session(scope) as session:
            return await session.fetch_one("living_of_person", params, MemoryCounts) or MemoryCounts()

    async def find_similar(self, scope: Scope, over: float, limit: int) -> list[SimilarPair]:
        params = scope_params(scope) | {"over": over, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("alike_memories", params, SimilarPair)

    async def apply_change(self, scope: Scope, tending: UpkeepChange, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).apply_upkeep(tending)

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).consolidate(consolidation)


def _active_memory_from_row(row: _ActiveMemoryRow) -> ActiveMemory:
    values: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(MemoryItem)}
    counted: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(Feedback)}
    return ActiveMemory(
        item=MemoryItem(**values), feedback=Feedback(**counted), said_at=row.said_at, last_change=row.last_change
    )
