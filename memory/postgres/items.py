"""Memories on PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.corrections import read_correction
from memory.errors import unknown_memory
from memory.founding import verify_words
from memory.memory_item import (
    ASKED_FOR,
    UNDO_HOURS,
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
from memory.paging import Cursor, cursor_params
from memory.postgres.database import Database, scope_params
from memory.postgres.unit_of_work import begin_unit
from memory.postgres.writing import Revise, Writing, mark_stale
from memory.rederivation import Rederivation
from memory.revision import confirm_item, correct_item, forget_item, require_seen, restate_item, restore_item
from memory.scope import Scope
from memory.versions import from_snapshot


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
class PostgresItems:
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

    async def find_resting_on(self, scope: Scope, words: Sequence[Citation]) -> list[UUID]:
        async with begin_unit(self.database, scope) as unit:
            return await unit.find_resting_on(words) if words else []

    async def find_touched(self, scope: Scope, memory_ids: Sequence[UUID], operators: Sequence[str]) -> frozenset[UUID]:
        params = scope_params(scope) | {"memory_ids": list(memory_ids), "operators": list(operators)}
        async with self.database.scope_session(scope) as session:
            found = await session.fetch("touched_items", params, _TouchedItem)
        return frozenset(each.item_id for each in found)

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).write(draft)

    async def rederive(self, scope: Scope, rederivation: Rederivation, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).rederive(rederivation)

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).replace_citations(memory_id, citations)

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        def correct(item: MemoryItem) -> MemoryItem:
            return correct_item(item, read_correction(item, content), author.at)

        return await self._revise(scope, memory_id, ("correct", correct), author)

    async def restate(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        def restate(item: MemoryItem) -> MemoryItem:
            return restate_item(item, read_correction(item, content), author.at)

        return await self._revise(scope, memory_id, ("correct", restate), author)

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("confirm", lambda i: confirm_item(i, author.at)), author)

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("forget", lambda i: forget_item(i, author.at)), author)

    async def forget_chosen(self, scope: Scope, chosen: Mapping[UUID, int], author: Author) -> list[UUID]:
        forgotten = list[UUID]()
        async with begin_unit(self.database, scope) as unit:
            for memory_id in sorted(chosen):  # two at once take the locks of their slots in one order
                await unit.lock_slot_of(memory_id)
                item = await unit.get(memory_id)
                if item.status != "deleted":
                    require_seen(item, chosen[memory_id])
                    own = replace(author, idempotency_key=f"{author.idempotency_key}:{memory_id}")
                    await Writing(unit, own).revise(memory_id, ("forget", lambda i: forget_item(i, author.at)))
                    forgotten.append(memory_id)
        return forgotten

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        versions = await self.history(scope, memory_id)
        earlier = next((each for each in versions if each.version == version), None)
        if earlier is None:
            raise unknown_memory()
        past = from_snapshot(earlier.snapshot)
        return await self._revise(scope, memory_id, ("restore", lambda i: restore_item(i, past, author.at)), author)

    async def set_use(self, scope: Scope, memory_id: UUID, use: ItemUse, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).set_use(memory_id, use)

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        async with begin_unit(self.database, scope) as unit:
            return await Writing(unit, author).revise(memory_id, change)
