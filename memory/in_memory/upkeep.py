"""The upkeep port."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import sqrt
from uuid import UUID

from memory.contracts import WELCOME, Author, MemoryItem, MemoryVersion, Receipt, WriteReceipt
from memory.in_memory.documents import remark
from memory.in_memory.revising import answered, cite, held_item, put, receive
from memory.in_memory.shelf import Compartment, Shelf
from memory.index_rows import IndexRow
from memory.recall.query import NO_MODEL
from memory.revision import ended
from memory.scope import Scope
from memory.upkeep import Alike, Consolidation, Feedback, Living, Tending
from memory.upkeep_rules import as_judged, consolidated, stands_after_often, tended

_COMPARED = 1000
_OFTEN = 3
_WORDED = ("create", "correct", "restore")
_USED = ("keyword_match", "reference_phrase")


@dataclass
class InMemoryUpkeep:
    """The upkeep port, on the shelf of the items."""

    shelf: Shelf

    async def living(self, scope: Scope, after: UUID, limit: int) -> list[Living]:
        space = self.shelf.of(scope)
        beyond = sorted(item.memory_id for item in _active(space) if item.memory_id > after)
        return [_living(space, space.items[memory_id]) for memory_id in beyond[:limit]]

    async def replaced_often(self, scope: Scope) -> int:
        items = self.shelf.of(scope).items
        replaced = {
            item.memory_id: item.superseded_by
            for item in items.values()
            if item.superseded_by and "consolidates" not in items[item.superseded_by].provenance
        }
        return stands_after_often(replaced, [item.memory_id for item in _active(self.shelf.of(scope))], _OFTEN)

    async def alike(self, scope: Scope, over: float, limit: int) -> list[Alike]:
        space = self.shelf.of(scope)
        sound = [item for item in _active(space) if not item.stale]
        newest = sorted(sound, key=lambda item: (item.updated_at, item.memory_id), reverse=True)[:_COMPARED]
        pairs = combinations(sorted(newest, key=lambda item: item.memory_id), 2)
        near = [_pair(space, a, b) for a, b in pairs if _comparable(a, b)]
        found = [each for each in near if each.similarity > over]
        return sorted(found, key=lambda each: (-each.similarity, each.a, each.b))[:limit]

    async def tend(self, scope: Scope, tending: Tending, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if told := answered(space, author):
            return told
        item = tended(held_item(space, tending.memory_id), tending, author.at)
        put(space, item, tending.change, author)
        if tending.status is not None:
            remark(space, scope, item, author)
        return receive(space, item.memory_id, author)

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if told := answered(space, author):
            return told
        members = [held_item(space, memory_id) for memory_id, _ in consolidation.members]
        as_judged(members, consolidation)
        item = consolidated(members, space.new_id(), author.at)
        put(space, item, "create", author)
        for member in members:
            cite(space, item.memory_id, *space.citations.get(member.memory_id, ()))
            put(space, ended(member, item.memory_id, author.at, author.at), "consolidate", author)
        return receive(space, item.memory_id, author)


def _active(space: Compartment) -> list[MemoryItem]:
    return [item for item in space.items.values() if item.status == "active"]


def _living(space: Compartment, item: MemoryItem) -> Living:
    versions = space.versions[item.memory_id]
    since = _latest(versions, _WORDED) or item.created_at
    return Living(
        item=item,
        feedback=_feedback(space, item.memory_id, since),
        said_at=max(_said(space, item), _latest(versions, ("restore",)) or item.observed_at),
        last_change=versions[-1].change,
    )


def _latest(versions: Sequence[MemoryVersion], changes: Sequence[str]) -> datetime | None:
    return max((each.recorded_at for each in versions if each.change in changes), default=None)


def _said(space: Compartment, item: MemoryItem) -> datetime:
    cited = (space.event(each.event_id) for each in space.citations.get(item.memory_id, ()))
    return max([item.observed_at, *(event.occurred_at for event in cited if event)])


def _feedback(space: Compartment, memory_id: UUID, since: datetime) -> Feedback:
    used = [(at, receipt) for at, receipt in _uses(space, memory_id) if at >= since]
    welcome_at = max((at for at, receipt in used if receipt.user_feedback_signal in WELCOME), default=None)
    corrected = [at for at, receipt in used if receipt.user_feedback_signal == "correct"]
    return Feedback(
        since=since,
        uses=len(used),
        welcome=sum(receipt.user_feedback_signal in WELCOME for _, receipt in used),
        corrected=len(corrected),
        corrected_in_a_row=sum(welcome_at is None or at > welcome_at for at in corrected),
        welcome_at=welcome_at,
    )


def _uses(space: Compartment, memory_id: UUID) -> Iterator[tuple[datetime, Receipt]]:
    for operation_id, receipts in space.receipts.items():
        operation = space.operations.get(operation_id)
        for receipt in receipts if operation else ():
            judged = receipt.user_feedback_signal is not None and receipt.utilization_signal in _USED
            if operation and judged and receipt.receipt_type == "injection" and receipt.memory_id == memory_id:
                yield operation.created_at, receipt


def _comparable(a: MemoryItem, b: MemoryItem) -> bool:
    return (a.slot, a.negated, a.user_id) == (b.slot, b.negated, b.user_id)


def _pair(space: Compartment, a: MemoryItem, b: MemoryItem) -> Alike:
    left, right = space.rows[a.memory_id], space.rows[b.memory_id]
    return Alike(a=a.memory_id, b=b.memory_id, similarity=_similarity(left, right))


def _similarity(a: IndexRow, b: IndexRow) -> float:
    if a.embedding and b.embedding and a.embedding_model == b.embedding_model != NO_MODEL:
        return _cosine(a.embedding, b.embedding)
    words = len(a.terms.words) + len(b.terms.words)
    return 2 * len(set(a.terms.words) & set(b.terms.words)) / max(words, 1)


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / sqrt(sum(x * x for x in a) * sum(y * y for y in b))
