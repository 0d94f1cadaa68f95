"""The items port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from memory.contracts import Author, Citation, Evidence, MemoryDraft, MemoryItem, MemoryVersion, WriteReceipt
from memory.in_memory.documents import cleanse, update_outdated_marks
from memory.in_memory.item_versions import find_receipt, get_item, issue_receipt, put_item
from memory.in_memory.store import Compartment, InMemoryStore
from memory.in_memory.writer import InMemoryWriter, find_comparable
from memory.item_changes import ItemChanges, Revise
from memory.prior_extraction import PriorExtraction
from memory.revision import MISMATCH, mark_item_stale, repair_item
from memory.scope import Scope
from memory.write_decision import decide


@dataclass
class InMemoryItems(ItemChanges):
    """The items port."""

    shelf: InMemoryStore

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        space = self.shelf.compartment_of(scope)
        if told := find_receipt(space, author):
            return told
        return InMemoryWriter(space, scope, author).carry_out(
            draft, decide(draft, find_comparable(space, scope, draft))
        )

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        return get_item(self.shelf.compartment_of(scope), memory_id)

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        items = self.shelf.compartment_of(scope).items
        return [items[each] for each in dict.fromkeys(memory_ids) if each in items]

    async def list_newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        kept = [i for i in self.shelf.compartment_of(scope).items.values() if include_inactive or i.status == "active"]
        return sorted(kept, key=lambda item: (item.updated_at, item.memory_id), reverse=True)[:limit]

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        return list(self.shelf.compartment_of(scope).versions.get(memory_id, []))

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        space = self.shelf.compartment_of(scope)
        found = list(_evidence(space, space.citations.get(memory_id, ())))
        item = space.items.get(memory_id)
        if item and not item.stale and not all(each.verified for each in found):
            author = Author(
                operator="system", reason=MISMATCH, idempotency_key=f"stale:{memory_id}", at=item.updated_at
            )
            put_item(space, mark_item_stale(item, author.at), "stale", author)
        return found

    async def find_prior_extractions(self, scope: Scope, event_ids: Sequence[UUID]) -> list[PriorExtraction]:
        space = self.shelf.compartment_of(scope)
        cited = [(space.items[memory_id], each) for memory_id, cites in space.citations.items() for each in cites]
        found = [
            _prior_extraction(*each)
            for each in cited
            if each[1].event_id in event_ids and each[0].user_id == scope.user_id
        ]
        return sorted(found, key=lambda each: (each.event_id, each.span_start, each.memory_id))

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        space = self.shelf.compartment_of(scope)
        if told := find_receipt(space, author):
            return told
        item = repair_item(get_item(space, memory_id), author.at, rests_on_something=bool(citations))
        space.citations[memory_id] = tuple(citations)
        put_item(space, item, "repair", author)
        return issue_receipt(space, memory_id, author)

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        space = self.shelf.compartment_of(scope)
        if told := find_receipt(space, author):
            return told
        name, revised = change
        item = revised(get_item(space, memory_id))
        put_item(space, item, name, author)
        if name in ("forget", "correct"):
            cleanse(self.shelf, scope, item, author)
        if name == "restore":
            update_outdated_marks(space, scope, item, author)
        return issue_receipt(space, memory_id, author)


def _prior_extraction(item: MemoryItem, citation: Citation) -> PriorExtraction:
    return PriorExtraction(
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
