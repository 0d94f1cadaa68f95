"""The items port, in memory."""

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from memory.contracts import (
    ASKED_FOR,
    TAKES_AWAY,
    UNDO_HOURS,
    Change,
    Citation,
    Evidence,
    MemoryItem,
    MemoryVersion,
    RecentChange,
)
from memory.founding import verify_words
from memory.in_memory.store import Compartment, InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.item_changes import ItemChanges
from memory.paging import Cursor
from memory.scope import Scope
from memory.unit_of_work import UnitOfWork
from memory.writing import mark_stale


@dataclass
class InMemoryItems(ItemChanges):
    """The items port."""

    store: InMemoryStore

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        return await InMemoryUnit(self.store, scope).get(memory_id)

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        items = self.store.compartment_of(scope).items
        return [items[each] for each in dict.fromkeys(memory_ids) if each in items]

    async def list_newest(
        self, scope: Scope, *, include_inactive: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[MemoryItem]:
        kept = [i for i in self.store.compartment_of(scope).items.values() if include_inactive or i.status == "active"]
        ordered = sorted(kept, key=lambda item: (item.updated_at, item.memory_id), reverse=True)
        behind = [i for i in ordered if after is None or (i.updated_at, i.memory_id) < (after.at, after.row_id)]
        return behind[:limit]

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        return list(self.store.compartment_of(scope).versions.get(memory_id, []))

    async def recent_changes(self, scope: Scope, limit: int = 100) -> list[RecentChange]:
        space, since = self.store.compartment_of(scope), datetime.now(UTC) - timedelta(hours=UNDO_HOURS)
        own = {each.memory_id for each in space.items.values() if each.user_id == scope.user_id}
        ended = {each.memory_id: each.version for each in space.changes if each.change in (*TAKES_AWAY, *_SINCE)}
        last = [each for each in reversed(space.changes) if ended.get(each.memory_id, 0) <= each.version]
        fitting = [each for each in last if each.memory_id in own and each.changed_at > since and _is_undoable(each)]
        return fitting[:limit]

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        space = self.store.compartment_of(scope)
        found = list(_evidence(space, space.citations.get(memory_id, ())))
        if not all(each.verified for each in found):
            await mark_stale(InMemoryUnit(self.store, scope), memory_id)
        item = space.items.get(memory_id)
        return verify_words(item, found) if item else found

    async def find_prior_extractions(
        self, scope: Scope, event_ids: Sequence[UUID]
    ) -> list[tuple[MemoryItem, Citation]]:
        space = self.store.compartment_of(scope)
        cited = [(space.items[memory_id], each) for memory_id, cites in space.citations.items() for each in cites]
        own = [(item, each) for item, each in cited if each.event_id in event_ids and item.user_id == scope.user_id]
        return sorted(own, key=lambda pair: (pair[1].event_id, pair[1].start, pair[0].memory_id))

    @asynccontextmanager
    async def _begin(self, scope: Scope) -> AsyncGenerator[UnitOfWork]:
        yield InMemoryUnit(self.store, scope)


_SINCE: tuple[Change, ...] = ("restore", "consolidate", "archive")
"""What settles a memory anew, so that an older change is not taken back any more."""


def _is_undoable(change: RecentChange) -> bool:
    noted = change.change == "create" and change.reason == ASKED_FOR
    return noted or (change.change in TAKES_AWAY and bool(change.before))


def _evidence(space: Compartment, citations: Iterable[Citation]) -> Iterator[Evidence]:
    for citation in citations:
        event = space.event(citation.event_id)
        if event is not None:
            yield Evidence(
                event_id=event.event_id,
                quote=event.text[citation.start : citation.end],
                speaker=event.speaker,
                occurred_at=event.occurred_at,
                sha256=citation.sha256,
                verified=citation.sha256 == sha256(event.text.encode()).hexdigest(),
                reference=event.reference,
            )
