"""An assertion on its way into the tables, by what was decided about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import uuid_utils.compat as uuids

from memory.contracts import Action, Author, MemoryDraft, MemoryItem, WriteReceipt
from memory.postgres.database import scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import update_outdated_marks
from memory.postgres.item_versions import (
    Revision,
    cite,
    issue_receipt,
    item_params,
    keep_version,
    record,
    save_item,
)
from memory.revision import first_version, merge_item, retract_item, supersede_by_later, supersede_item
from memory.scope import Scope
from memory.write_decision import Decision, conflict_kind


async def find_comparable(session: Transaction, scope: Scope, draft: MemoryDraft) -> Sequence[MemoryItem]:
    """The memories that a draft is compared with, locked."""
    params = scope_params(scope) | {
        "slot": draft.slot,
        "replaces_memory": draft.replaces_memory,
        "event_ids": [each.event_id for each in draft.citations],
        "starts": [each.start for each in draft.citations],
        "ends": [each.end for each in draft.citations],
        "observed_at": draft.observed_at,
    }
    return await session.fetch("memories_beside", params, MemoryItem)


@dataclass(frozen=True)
class PostgresWriter:
    """One write: its transaction, whose memory it changes, and who asked for it."""

    session: Transaction
    scope: Scope
    author: Author

    async def carry_out(self, draft: MemoryDraft, decision: Decision) -> WriteReceipt:
        """Change what was decided to change; nothing for what is known."""
        match decision.action:
            case "known":
                return issue_receipt(self.session, self.scope, self._revision(decision.targets[0], "merge", "known"))
            case "merge":
                return await self._merge(draft, decision)
            case "retract":
                return await self._retract(draft, decision.targets)
            case "precede":
                item = supersede_by_later(self._first_version(draft), decision.targets[0])
                return self._insert(item, draft, "precede")
            case action:
                item = self._first_version(draft)
                receipt = self._insert(item, draft, action)
                if action == "supersede":
                    await self._end(decision.targets, item, draft)
                if action == "append_conflict":
                    self._open_conflicts(decision.targets, item, draft)
                return receipt

    async def _merge(self, draft: MemoryDraft, decision: Decision) -> WriteReceipt:
        item = merge_item(decision.targets[0], draft, self.author.at)
        await save_item(self.session, self.scope, item)
        cite(self.session, self.scope, item.memory_id, draft.citations)
        receipt = record(self.session, self.scope, self._revision(item, "merge", "merge"))
        await self._end(decision.ended, item, draft)
        return receipt

    async def _retract(self, draft: MemoryDraft, targets: Sequence[MemoryItem]) -> WriteReceipt:
        for old in targets:
            item = retract_item(old, draft, self.author.at)
            await save_item(self.session, self.scope, item)
            cite(self.session, self.scope, item.memory_id, draft.citations)
            keep_version(self.session, self.scope, self._revision(item, "retract", "retract"))
            await update_outdated_marks(self.session, self.scope, item, self.author)
        return issue_receipt(self.session, self.scope, self._revision(targets[0], "retract", "retract"))

    async def _end(self, targets: Sequence[MemoryItem], by: MemoryItem, draft: MemoryDraft) -> None:
        for old in targets:
            if draft.retracts:
                item, change = retract_item(old, draft, self.author.at), "retract"
            else:
                item, change = supersede_item(old, by.memory_id, draft.valid_at, self.author.at), "supersede"
            await save_item(self.session, self.scope, item)
            keep_version(self.session, self.scope, self._revision(item, change, change))
            await update_outdated_marks(self.session, self.scope, item, self.author)

    def _open_conflicts(self, targets: Sequence[MemoryItem], item: MemoryItem, draft: MemoryDraft) -> None:
        for held in targets:
            params = {
                "conflict_id": uuids.uuid7(),
                "kind": conflict_kind(draft, held),
                "held_id": held.memory_id,
                "new_id": item.memory_id,
                "operator": self.author.operator,
                "at": self.author.at,
            }
            self.session.execute("open_conflict", scope_params(self.scope) | params)

    def _first_version(self, draft: MemoryDraft) -> MemoryItem:
        return first_version(draft, uuids.uuid7(), self.scope.user_id, self.author.at)

    def _insert(self, item: MemoryItem, draft: MemoryDraft, action: Action) -> WriteReceipt:
        self.session.execute("insert_item", scope_params(self.scope) | item_params(item))
        cite(self.session, self.scope, item.memory_id, draft.citations)
        return record(self.session, self.scope, self._revision(item, "create", action))

    def _revision(
        self, item: MemoryItem, change: Literal["create", "merge", "supersede", "retract"], action: Action
    ) -> Revision:
        status = "merged" if change == "merge" else "accepted"
        return Revision(item=item, change=change, author=self.author, action=action, status=status)
