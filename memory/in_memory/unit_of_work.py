"""The steps of a change in the in-memory store: item, citations, version, index row and receipt.

Nothing is undone: ``Writing`` checks before its first step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from memory.conflicts import Conflict, ConflictStatus, unknown_conflict
from memory.contracts import (
    Action,
    Author,
    Change,
    Citation,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    RecentChange,
    WriteReceipt,
)
from memory.in_memory.documents import cleanse, hide_excluded, update_outdated_marks
from memory.in_memory.forgotten_turns import forgotten_turns, says_forgotten, turns_saying
from memory.in_memory.sessions import withdraw_covering_summaries, withdraw_summaries
from memory.in_memory.store import Compartment, InMemoryStore
from memory.index_rows import IndexRow, Standing, row_of_item, weigh_turn_row
from memory.partial_endings import doubting_events, is_partly_doubted
from memory.revision import REWORDED, ended_at, events_of, snapshot, speaks_for, unknown_memory
from memory.scope import Scope

_LINKS = 20
"""How far it is followed what came in the place of a memory; the database goes as far."""


@dataclass(frozen=True)
class InMemoryUnit:
    """One change of one person's memories. The promises are those of ``UnitOfWork``."""

    store: InMemoryStore
    scope: Scope

    @property
    def space(self) -> Compartment:
        """What this person can see."""
        return self.store.compartment_of(self.scope)

    def new_id(self) -> UUID:
        return self.space.new_id()

    async def find_receipt(self, key: str) -> WriteReceipt | None:
        return self.space.answers.get(key)

    async def compare(self, draft: MemoryDraft, key: str) -> tuple[WriteReceipt | None, Sequence[MemoryItem]]:
        near = [each for each in self.space.items.values() if _is_comparable(self.space, each, draft, self.scope)]
        near.sort(key=lambda item: (item.observed_at, item.memory_id), reverse=True)
        return await self.find_receipt(key), near

    async def get(self, memory_id: UUID) -> MemoryItem:
        try:
            return self.space.items[memory_id]
        except KeyError:
            raise unknown_memory() from None

    async def lock_slot_of(self, memory_id: UUID) -> None:
        """Nobody else writes while this process does not wait."""

    async def find_in_place(self, before: MemoryItem, item: MemoryItem) -> Sequence[MemoryItem]:
        living = [
            each for each in self.space.items.values() if each.status == "active" and each.user_id == item.user_id
        ]
        others = [each for each in living if each.memory_id != item.memory_id]
        return [each for each in others if each.slot == item.slot or each.memory_id == before.superseded_by]

    async def find_doubted_by(self, event_ids: Sequence[str]) -> Sequence[MemoryItem]:
        wanted, own = set(event_ids), (each for each in self.space.items.values() if each.status == "active")
        return [each for each in own if each.user_id == self.scope.user_id and wanted & set(doubting_events(each))]

    async def put(self, item: MemoryItem) -> None:
        self.space.items[item.memory_id] = item

    def cite(self, memory_id: UUID, citations: Sequence[Citation]) -> None:
        known = self.space.citations.get(memory_id, ())
        self.space.citations[memory_id] = tuple(dict.fromkeys((*known, *citations)))

    def drop_citations(self, memory_id: UUID) -> None:
        self.space.citations.pop(memory_id, None)

    def inherit_citations(self, heir: MemoryItem, members: Sequence[UUID]) -> None:
        for member in members:
            self.cite(heir.memory_id, self.space.citations.get(member, ()))

    def keep_version(self, item: MemoryItem, change: Change, author: Author, action: Action | Change) -> None:
        space = self.space
        if item.status != "active":
            _close_conflicts(space, item.memory_id, author)
        if item.is_withheld:
            _hide_item(space, item.memory_id)
        elif item.status == "left":
            space.rows.pop(item.memory_id, None)
        else:
            space.rows[item.memory_id] = _row(space, item, author)
        _weigh_turns(space, item)
        version = MemoryVersion(
            version=item.version,
            change=change,
            snapshot=snapshot(item),
            reason=author.reason,
            operator=author.operator,
            recorded_at=author.at,
        )
        known = space.versions.setdefault(item.memory_id, [])
        before = known[-1].snapshot if known else None
        space.changes.append(_recent_change(item, before, change, author))
        known.append(version)

    def keep_receipt(self, receipt: WriteReceipt, author: Author, action: Action | Change) -> None:
        self.space.answers[author.idempotency_key] = receipt

    async def get_conflict(self, conflict_id: UUID) -> Conflict:
        conflict = self.space.conflicts.get(conflict_id)
        if conflict is None:
            raise unknown_conflict()
        return conflict

    def open_conflict(self, conflict: Conflict) -> None:
        pair = (conflict.held_id, conflict.new_id)
        known = next((each for each in self.space.conflicts.values() if (each.held_id, each.new_id) == pair), None)
        if known is None or known.status == "discarded":
            conflict_id = known.conflict_id if known else conflict.conflict_id
            self.space.conflicts[conflict_id] = replace(conflict, conflict_id=conflict_id)

    def settle_conflict(self, conflict: Conflict, status: ConflictStatus, author: Author) -> None:
        settled = replace(conflict, status=status, settled_at=author.at, settled_by=author.operator)
        self.space.conflicts[conflict.conflict_id] = settled

    async def index_cited_turns(self, memory_id: UUID) -> None:
        space = self.space
        space.rows |= {key: row for key, row in space.hidden.items() if _is_readable(space, row.turn_id)}

    def withdraw_covering_summaries(self, memory_id: UUID) -> None:
        withdraw_covering_summaries(self.space, turns_saying(self.space, memory_id))

    async def cleanse_documents(self, item: MemoryItem, author: Author) -> None:
        cleanse(self.store, self.scope, item, author)

    async def hide_in_documents(self, item: MemoryItem, author: Author) -> None:
        hide_excluded(self.space, self.scope, item, author)

    async def mark_documents(self, item: MemoryItem, author: Author) -> None:
        update_outdated_marks(self.space, self.scope, item, author)

    def enqueue_repair(self, memory_id: UUID) -> None:
        """There is no queue here."""


def _recent_change(
    item: MemoryItem, before: Mapping[str, object] | None, change: Change, author: Author
) -> RecentChange:
    """``before`` is kept only of what was in use."""
    return RecentChange(
        memory_id=item.memory_id,
        version=item.version,
        change=change,
        before=str(before["content"]) if before and before["status"] == "active" else "",
        after=item.content,
        operator=author.operator,
        reason=author.reason,
        trace_id=author.trace_id,
        changed_at=datetime.now(UTC),
    )


def _is_readable(space: Compartment, event_id: UUID) -> bool:
    behind = any(event.event_id == event_id and operation in space.left for operation, event in space.events)
    return not behind and not says_forgotten(space, event_id)


def _is_comparable(space: Compartment, item: MemoryItem, draft: MemoryDraft, scope: Scope) -> bool:
    if item.user_id != scope.user_id:
        return False
    active, ended_since = item.status == "active", _has_ended_since(space, item, draft.observed_at)
    if item.slot == draft.slot and (active or ended_since or _cites_turns_of(space, item, draft)):
        return True
    named = active and item.memory_id == draft.replaces_memory
    return named or ((item.is_withheld or REWORDED in item.provenance) and _shares_words(space, item, draft))


def _cites_turns_of(space: Compartment, item: MemoryItem, draft: MemoryDraft) -> bool:
    turns = {each.event_id for each in draft.citations}
    return any(each.event_id in turns for each in space.citations.get(item.memory_id, ()))


def _has_ended_since(space: Compartment, item: MemoryItem, at: datetime) -> bool:
    """By something that was said after ``at``."""
    if item.status not in ("superseded", "retracted") or item.updated_at <= at:
        return False
    successor = space.items.get(item.superseded_by) if item.superseded_by else None
    end = successor.observed_at if successor else ended_at(item)
    return end is not None and end > at


def _shares_words(space: Compartment, item: MemoryItem, draft: MemoryDraft) -> bool:
    return any(
        held.event_id == new.event_id and held.start < new.end and held.end > new.start
        for held in space.citations.get(item.memory_id, ())
        for new in draft.citations
    )


def _close_conflicts(space: Compartment, memory_id: UUID, author: Author) -> None:
    for key, each in space.conflicts.items():
        if each.status == "open" and memory_id in (each.held_id, each.new_id):
            space.conflicts[key] = replace(each, status="discarded", settled_at=author.at, settled_by=author.operator)


def _hide_item(space: Compartment, memory_id: UUID) -> None:
    space.rows.pop(memory_id, None)
    gone = forgotten_turns(space, memory_id)
    hidden = [row for event_id in gone for row in space.rows_of_turn(event_id)]
    space.hidden |= {row.source_id: space.rows.pop(row.source_id) for row in hidden}
    withdraw_summaries(space, gone)


def _row(space: Compartment, item: MemoryItem, author: Author) -> IndexRow:
    """The row of a memory; while its words stay, it is known how often they were used."""
    row, held = row_of_item(item, author.at), space.rows.get(item.memory_id)
    if held is None or held.text != row.text:
        return row
    return replace(row, injected_count=held.injected_count, positive_count=held.positive_count)


def _weigh_turns(space: Compartment, item: MemoryItem) -> None:
    """Believe the turns of a memory as much as all memories that rest on them allow, as ``weigh_turns`` in SQL does."""
    for event_id in map(UUID, events_of(item)):
        standing = _standing(space, event_id)
        space.rows |= {row.source_id: weigh_turn_row(row, standing) for row in space.rows_of_turn(event_id)}


def _standing(space: Compartment, event_id: UUID) -> Standing:
    cited = [
        space.items[memory_id]
        for memory_id, cites in space.citations.items()
        if any(each.event_id == event_id for each in cites)
    ]
    spoken = {item.memory_id: speaks_for(item, event_id) for item in cited}
    upheld = {memory_id for memory_id, said in spoken.items() if said}
    if all(spoken[item.memory_id] is not False or upheld.intersection(_successors(space, item)) for item in cited):
        return "partly" if any(map(is_partly_doubted, cited)) else "holds"
    return "partly" if upheld else "over"


def _successors(space: Compartment, item: MemoryItem) -> Iterator[UUID]:
    """What came in its place, and in the place of that."""
    for _ in range(_LINKS):
        if item.superseded_by is None:
            return
        yield item.superseded_by
        item = space.items[item.superseded_by]
