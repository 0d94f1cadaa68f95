"""The upkeep port, in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import sqrt
from uuid import UUID

from memory.contracts import WELCOME, Author, MemoryItem, MemoryVersion, Receipt, WriteReceipt
from memory.in_memory.store import Compartment, InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.index_rows import IndexRow
from memory.recall.query import NO_MODEL
from memory.scope import Scope
from memory.upkeep import ActiveMemory, Consolidation, Feedback, SimilarPair, UpkeepChange
from memory.writing import Writing

_COMPARED = 1000
_OFTEN = 3
_WORDED = ("create", "correct", "restore")
_USED = ("keyword_match", "reference_phrase")


@dataclass
class InMemoryUpkeep:
    """The upkeep port, on the store of the items."""

    store: InMemoryStore

    async def list_active(self, scope: Scope, after: UUID, limit: int) -> list[ActiveMemory]:
        space = self.store.compartment_of(scope)
        usable = (item.memory_id for item in _active_items(space) if not item.is_withheld)
        beyond = sorted(memory_id for memory_id in usable if memory_id > after)
        return [_active_memory(space, space.items[memory_id]) for memory_id in beyond[:limit]]

    async def count_often_replaced(self, scope: Scope) -> int:
        items = self.store.compartment_of(scope).items
        replaced = {
            item.memory_id: item.superseded_by
            for item in items.values()
            if item.superseded_by and "consolidates" not in items[item.superseded_by].provenance
        }
        return _count_long_chains(
            replaced, [item.memory_id for item in _active_items(self.store.compartment_of(scope))], _OFTEN
        )

    async def find_similar(self, scope: Scope, over: float, limit: int) -> list[SimilarPair]:
        space = self.store.compartment_of(scope)
        sound = [item for item in _active_items(space) if item.use == "auto" and not item.stale]
        newest = sorted(sound, key=lambda item: (item.updated_at, item.memory_id), reverse=True)[:_COMPARED]
        pairs = combinations(sorted(newest, key=lambda item: item.memory_id), 2)
        near = [_similar_pair(space, a, b) for a, b in pairs if _is_comparable(a, b)]
        found = [each for each in near if each.similarity > over]
        return sorted(found, key=lambda each: (-each.similarity, each.a, each.b))[:limit]

    async def apply_change(self, scope: Scope, tending: UpkeepChange, author: Author) -> WriteReceipt:
        return await Writing(InMemoryUnit(self.store, scope), author).apply_upkeep(tending)

    async def consolidate(self, scope: Scope, consolidation: Consolidation, author: Author) -> WriteReceipt:
        return await Writing(InMemoryUnit(self.store, scope), author).consolidate(consolidation)


def _count_long_chains(replaced_by: Mapping[UUID, UUID], living: Sequence[UUID], links: int) -> int:
    """How many of the living stand at the end of at least so many replacements (old id to new id)."""
    before: dict[UUID, list[UUID]] = {}
    for old, new in replaced_by.items():
        before.setdefault(new, []).append(old)

    def length(memory_id: UUID) -> int:
        return max((1 + length(each) for each in before.get(memory_id, ())), default=0)

    return sum(length(each) >= links for each in living)


def _active_items(space: Compartment) -> list[MemoryItem]:
    return [item for item in space.items.values() if item.status == "active"]


def _active_memory(space: Compartment, item: MemoryItem) -> ActiveMemory:
    versions = space.versions[item.memory_id]
    since = _latest_change_time(versions, _WORDED) or item.created_at
    return ActiveMemory(
        item=item,
        feedback=_feedback(space, item.memory_id, since),
        said_at=max(
            _newest_citation_time(space, item), _latest_change_time(versions, ("restore",)) or item.observed_at
        ),
        last_change=versions[-1].change,
    )


def _latest_change_time(versions: Sequence[MemoryVersion], changes: Sequence[str]) -> datetime | None:
    return max((each.recorded_at for each in versions if each.change in changes), default=None)


def _newest_citation_time(space: Compartment, item: MemoryItem) -> datetime:
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


def _is_comparable(a: MemoryItem, b: MemoryItem) -> bool:
    return (a.slot, a.negated, a.user_id) == (b.slot, b.negated, b.user_id)


def _similar_pair(space: Compartment, a: MemoryItem, b: MemoryItem) -> SimilarPair:
    left, right = space.rows[a.memory_id], space.rows[b.memory_id]
    return SimilarPair(a=a.memory_id, b=b.memory_id, similarity=_similarity(left, right))


def _similarity(a: IndexRow, b: IndexRow) -> float:
    if a.embedding and b.embedding and a.embedding_model == b.embedding_model != NO_MODEL:
        return _cosine(a.embedding, b.embedding)
    words = len(a.terms.words) + len(b.terms.words)
    return 2 * len(set(a.terms.words) & set(b.terms.words)) / max(words, 1)


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / sqrt(sum(x * x for x in a) * sum(y * y for y in b))
