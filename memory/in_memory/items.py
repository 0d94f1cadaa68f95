"""The items port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from memory.contracts import Author, Citation, Evidence, MemoryDraft, MemoryItem, MemoryVersion, WriteReceipt
from memory.deciding import decide
from memory.drawn import DrawnMemory
from memory.in_memory.documents import cleanse, remark
from memory.in_memory.revising import answered, held_item, put, receive
from memory.in_memory.shelf import Compartment, Shelf
from memory.in_memory.writing import Writing, beside
from memory.item_changes import ItemChanges, Revise
from memory.revision import MISMATCH, marked_stale, recited
from memory.scope import Scope


@dataclass
class InMemoryItems(ItemChanges):
    """The items port."""

    shelf: Shelf

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if told := answered(space, author):
            return told
        return Writing(space, scope, author).carry_out(draft, decide(draft, beside(space, scope, draft)))

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        return held_item(self.shelf.of(scope), memory_id)

    async def several(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        items = self.shelf.of(scope).items
        return [items[each] for each in dict.fromkeys(memory_ids) if each in items]

    async def newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        kept = [i for i in self.shelf.of(scope).items.values() if include_inactive or i.status == "active"]
        return sorted(kept, key=lambda item: (item.updated_at, item.memory_id), reverse=True)[:limit]

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        return list(self.shelf.of(scope).versions.get(memory_id, []))

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        space = self.shelf.of(scope)
        found = list(_evidence(space, space.citations.get(memory_id, ())))
        item = space.items.get(memory_id)
        if item and not item.stale and not all(each.verified for each in found):
            author = Author(
                operator="system", reason=MISMATCH, idempotency_key=f"stale:{memory_id}", at=item.updated_at
            )
            put(space, marked_stale(item, author.at), "stale", author)
        return found

    async def drawn(self, scope: Scope, event_ids: Sequence[UUID]) -> list[DrawnMemory]:
        space = self.shelf.of(scope)
        cited = [(space.items[memory_id], each) for memory_id, cites in space.citations.items() for each in cites]
        found = [_drawn(*each) for each in cited if each[1].event_id in event_ids and each[0].user_id == scope.user_id]
        return sorted(found, key=lambda each: (each.event_id, each.span_start, each.memory_id))

    async def recite(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        space = self.shelf.of(scope)
        if told := answered(space, author):
            return told
        item = recited(held_item(space, memory_id), author.at, rests_on_something=bool(citations))
        space.citations[memory_id] = tuple(citations)
        put(space, item, "repair", author)
        return receive(space, memory_id, author)

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if told := answered(space, author):
            return told
        name, revised = change
        item = revised(held_item(space, memory_id))
        put(space, item, name, author)
        if name in ("forget", "correct"):
            cleanse(self.shelf, scope, item, author)
        if name == "restore":
            remark(space, scope, item, author)
        return receive(space, memory_id, author)


def _drawn(item: MemoryItem, citation: Citation) -> DrawnMemory:
    return DrawnMemory(
        memory_id=item.memory_id,
        event_id=citation.event_id,
        span_start=citation.start,
        span_end=citation.end,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        negated=item.negated,
        slot=item.slot,
    )


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
