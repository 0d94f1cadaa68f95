"""An assertion on its way onto the shelf, by what was decided about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.conflicts import Conflict
from memory.contracts import Author, MemoryDraft, MemoryItem, WriteReceipt
from memory.in_memory.documents import update_outdated_marks
from memory.in_memory.item_versions import cite, issue_receipt, put_item
from memory.in_memory.store import Compartment
from memory.revision import REWORDED, first_version, merge_item, retract_item, supersede_by_later, supersede_item
from memory.scope import Scope
from memory.write_decision import Decision, conflict_kind


def find_comparable(space: Compartment, scope: Scope, draft: MemoryDraft) -> list[MemoryItem]:
    """The memories that a draft is compared with."""
    turns = {each.event_id for each in draft.citations}
    own = [item for item in space.items.values() if item.user_id == scope.user_id]
    near = [
        item
        for item in own
        if (item.status == "active" and draft.replaces_memory == item.memory_id)
        or (item.slot == draft.slot and (item.status == "active" or _cites(space, item.memory_id, turns)))
        or (item.slot == draft.slot and _has_ended_since(space, item, draft.observed_at))
        or ((item.status == "deleted" or REWORDED in item.provenance) and _shares_words(space, item.memory_id, draft))
    ]
    return sorted(near, key=lambda item: (item.observed_at, item.memory_id), reverse=True)


def _has_ended_since(space: Compartment, item: MemoryItem, at: datetime) -> bool:
    """By something that was said after ``at``."""
    if item.status not in ("superseded", "retracted") or item.updated_at <= at:
        return False
    successor = space.items.get(item.superseded_by) if item.superseded_by else None
    end = successor.observed_at if successor else item.invalid_at
    return end is not None and end > at


def _shares_words(space: Compartment, memory_id: UUID, draft: MemoryDraft) -> bool:
    return any(
        held.event_id == new.event_id and held.start < new.end and held.end > new.start
        for held in space.citations.get(memory_id, ())
        for new in draft.citations
    )


def _cites(space: Compartment, memory_id: UUID, turns: set[UUID]) -> bool:
    return any(each.event_id in turns for each in space.citations.get(memory_id, ()))


@dataclass(frozen=True)
class InMemoryWriter:
    """One write: where, whose memory it changes, and who asked for it."""

    space: Compartment
    scope: Scope
    author: Author

    def carry_out(self, draft: MemoryDraft, decision: Decision) -> WriteReceipt:
        """Change what was decided to change; nothing for what is known."""
        match decision.action:
            case "known":
                return issue_receipt(self.space, decision.targets[0].memory_id, self.author, "merged")
            case "merge":
                return self._merge(draft, decision)
            case "retract":
                return self._retract(draft, decision.targets)
            case "precede":
                return self._insert(supersede_by_later(self._first_version(draft), decision.targets[0]), draft)
            case action:
                item = self._first_version(draft)
                receipt = self._insert(item, draft)
                if action == "supersede":
                    self._end(decision.targets, item, draft)
                if action == "append_conflict":
                    self._open_conflicts(decision.targets, item, draft)
                return receipt

    def _merge(self, draft: MemoryDraft, decision: Decision) -> WriteReceipt:
        item = merge_item(decision.targets[0], draft, self.author.at)
        cite(self.space, item.memory_id, *draft.citations)
        put_item(self.space, item, "merge", self.author)
        self._end(decision.ended, item, draft)
        return issue_receipt(self.space, item.memory_id, self.author, "merged")

    def _retract(self, draft: MemoryDraft, targets: Sequence[MemoryItem]) -> WriteReceipt:
        for old in targets:
            cite(self.space, old.memory_id, *draft.citations)
            item = retract_item(old, draft, self.author.at)
            put_item(self.space, item, "retract", self.author)
            update_outdated_marks(self.space, self.scope, item, self.author)
        return issue_receipt(self.space, targets[0].memory_id, self.author)

    def _end(self, targets: Sequence[MemoryItem], by: MemoryItem, draft: MemoryDraft) -> None:
        for old in targets:
            if draft.retracts:
                item, change = retract_item(old, draft, self.author.at), "retract"
            else:
                item, change = supersede_item(old, by.memory_id, draft.valid_at, self.author.at), "supersede"
            put_item(self.space, item, change, self.author)
            update_outdated_marks(self.space, self.scope, item, self.author)

    def _open_conflicts(self, targets: Sequence[MemoryItem], item: MemoryItem, draft: MemoryDraft) -> None:
        for held in targets:
            conflict_id = self.space.new_id()
            self.space.conflicts[conflict_id] = Conflict(
                conflict_id=conflict_id,
                kind=conflict_kind(draft, held),
                status="open",
                held_id=held.memory_id,
                new_id=item.memory_id,
                opened_at=self.author.at,
                opened_by=self.author.operator,
            )

    def _first_version(self, draft: MemoryDraft) -> MemoryItem:
        return first_version(draft, self.space.new_id(), self.scope.user_id, self.author.at)

    def _insert(self, item: MemoryItem, draft: MemoryDraft) -> WriteReceipt:
        cite(self.space, item.memory_id, *draft.citations)
        put_item(self.space, item, "create", self.author)
        return issue_receipt(self.space, item.memory_id, self.author)
