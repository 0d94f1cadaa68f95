"""The items port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from memory.conflicts import Conflict
from memory.contracts import (
    Author,
    Change,
    Citation,
    Evidence,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    WriteReceipt,
)
from memory.deciding import Decision, decide, kind_of
from memory.drawn import DrawnMemory
from memory.in_memory.documents import cleanse
from memory.in_memory.forgetting import forgotten_turns, says_forgotten
from memory.in_memory.overtaken import weigh_turns
from memory.in_memory.sessions import withdraw_summaries
from memory.in_memory.shelf import Compartment, Shelf
from memory.index_rows import row_of_item
from memory.item_changes import ItemChanges, Revise
from memory.revision import (
    MISMATCH,
    born,
    ended,
    events_of,
    marked_stale,
    merged,
    preceding,
    recited,
    retracted,
    snapshot,
    unknown_memory,
)
from memory.scope import Scope


@dataclass
class InMemoryItems(ItemChanges):
    """The items port."""

    shelf: Shelf

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if author.idempotency_key in space.answers:
            return space.answers[author.idempotency_key]
        return self._carry_out(scope, draft, decide(draft, _beside(space, scope, draft)), author)

    def _carry_out(self, scope: Scope, draft: MemoryDraft, decision: Decision, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        match decision.action:
            case "known":
                return self._answer(space, decision.targets[0].memory_id, "merged", author)
            case "merge":
                return self._merge(scope, draft, decision, author)
            case "retract":
                for old in decision.targets:
                    self._cite(space, old.memory_id, draft)
                    self._put(scope, retracted(old, draft, author.at), "retract", author)
                return self._answer(space, decision.targets[0].memory_id, "accepted", author)
            case action:
                item = born(draft, self.shelf.new_id(), scope.user_id, author.at)
                if action == "precede":
                    item = preceding(item, decision.targets[0])
                self._cite(space, item.memory_id, draft)
                self._put(scope, item, "create", author)
                if action == "supersede":
                    self._end(scope, decision.targets, (item, draft), author)
                if action == "append_conflict":
                    self._flag(space, decision.targets, (item, draft), author)
                return self._answer(space, item.memory_id, "accepted", author)

    def _merge(self, scope: Scope, draft: MemoryDraft, decision: Decision, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        item = merged(decision.targets[0], draft, author.at)
        self._cite(space, item.memory_id, draft)
        self._put(scope, item, "merge", author)
        self._end(scope, decision.ended, (item, draft), author)
        return self._answer(space, item.memory_id, "merged", author)

    def _end(
        self, scope: Scope, targets: Sequence[MemoryItem], by: tuple[MemoryItem, MemoryDraft], author: Author
    ) -> None:
        item, draft = by
        for old in targets:
            self._put(scope, ended(old, item.memory_id, draft.valid_at, author.at), "supersede", author)

    def _flag(
        self, space: Compartment, targets: Sequence[MemoryItem], new: tuple[MemoryItem, MemoryDraft], author: Author
    ) -> None:
        item, draft = new
        for held in targets:
            conflict_id = self.shelf.new_id()
            space.conflicts[conflict_id] = Conflict(
                conflict_id=conflict_id,
                kind=kind_of(draft, held),
                status="open",
                held_id=held.memory_id,
                new_id=item.memory_id,
                opened_at=author.at,
                opened_by=author.operator,
            )

    def _cite(self, space: Compartment, memory_id: UUID, draft: MemoryDraft) -> None:
        known = space.citations.get(memory_id, ())
        space.citations[memory_id] = tuple(dict.fromkeys((*known, *draft.citations)))

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        try:
            return self.shelf.of(scope).items[memory_id]
        except KeyError:
            raise unknown_memory() from None

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
            self._put(scope, marked_stale(item, author.at), "stale", author)
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
        if author.idempotency_key in space.answers:
            return space.answers[author.idempotency_key]
        item = recited(await self.get(scope, memory_id), author.at, rests_on_something=bool(citations))
        space.citations[memory_id] = tuple(citations)
        self._put(scope, item, "repair", author)
        return self._answer(space, memory_id, "accepted", author)

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if author.idempotency_key in space.answers:
            return space.answers[author.idempotency_key]
        name, revised = change
        item = revised(await self.get(scope, memory_id))
        self._put(scope, item, name, author)
        if name in ("forget", "correct"):
            cleanse(self.shelf, scope, item, author)
        return self._answer(space, memory_id, "accepted", author)

    def _put(self, scope: Scope, item: MemoryItem, change: Change, author: Author) -> None:
        space = self.shelf.of(scope)
        space.items[item.memory_id] = item
        if item.status != "active":
            _settle(space, item.memory_id, author)
        if item.status == "deleted":
            _hide(space, item.memory_id)
        else:
            space.rows[item.memory_id] = row_of_item(item, author.at)
        if change == "restore":
            space.rows |= {key: row for key, row in space.hidden.items() if not says_forgotten(space, key)}
        weigh_turns(space, map(UUID, events_of(item)))
        space.versions.setdefault(item.memory_id, []).append(
            MemoryVersion(
                version=item.version,
                change=change,
                snapshot=snapshot(item),
                reason=author.reason,
                operator=author.operator,
                recorded_at=author.at,
            )
        )

    def _answer(self, space: Compartment, memory_id: UUID, status: str, author: Author) -> WriteReceipt:
        receipt = WriteReceipt(
            receipt_id=self.shelf.new_id(),
            memory_id=memory_id,
            written_at=author.at,
            status=status,  # type: ignore[arg-type]
        )
        space.answers[author.idempotency_key] = receipt
        return receipt


def _beside(space: Compartment, scope: Scope, draft: MemoryDraft) -> list[MemoryItem]:
    turns = {each.event_id for each in draft.citations}
    own = [item for item in space.items.values() if item.user_id == scope.user_id]
    near = [
        item
        for item in own
        if (item.status == "active" and draft.replaces_memory == item.memory_id)
        or (item.slot == draft.slot and (item.status == "active" or _cites(space, item.memory_id, turns)))
        or (item.slot == draft.slot and _taken_back_since(space, item, draft.observed_at))
    ]
    return sorted(near, key=lambda item: (item.observed_at, item.memory_id), reverse=True)


def _taken_back_since(space: Compartment, item: MemoryItem, at: datetime) -> bool:
    """By something that was said after ``at``."""
    if item.status not in ("superseded", "retracted") or item.updated_at <= at:
        return False
    successor = space.items.get(item.superseded_by) if item.superseded_by else None
    ended = successor.observed_at if successor else item.invalid_at
    return ended is not None and ended > at


def _cites(space: Compartment, memory_id: UUID, turns: set[UUID]) -> bool:
    return any(each.event_id in turns for each in space.citations.get(memory_id, ()))


def _settle(space: Compartment, memory_id: UUID, author: Author) -> None:
    for key, each in space.conflicts.items():
        if each.status == "open" and memory_id in (each.held_id, each.new_id):
            space.conflicts[key] = replace(each, status="discarded", settled_at=author.at, settled_by=author.operator)


def _hide(space: Compartment, memory_id: UUID) -> None:
    space.rows.pop(memory_id, None)
    gone = forgotten_turns(space, memory_id)
    space.hidden |= {event_id: space.rows.pop(event_id) for event_id in gone if event_id in space.rows}
    withdraw_summaries(space, gone)


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
