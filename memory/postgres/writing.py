"""How memories are written: which steps each change takes, and in which order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.conflicts import STATUS_BY_RESOLUTION, Conflict, ConflictStatus, Settlement, repeat_settlement, settle
from memory.memory_item import (
    Action,
    Author,
    Change,
    Citation,
    ItemUse,
    MemoryDraft,
    MemoryItem,
    WriteReceipt,
    WriteStatus,
)
from memory.partial_endings import PartOver, inherit_doubts, lift_doubt, note_part_over, rest_on_both
from memory.postgres.unit_of_work import UnitOfWork
from memory.provenance import events_of, is_doubted
from memory.rederivation import Rederivation, give_way, require_version, reread_item
from memory.restoration import Displacement, displace
from memory.revision import (
    MISMATCH,
    first_version,
    mark_item_stale,
    merge_item,
    repair_item,
    retract_item,
    set_item_use,
    supersede_by_later,
    supersede_item,
)
from memory.upkeep import Consolidation, UpkeepChange, apply_upkeep, consolidate_items, require_same_versions
from memory.write_decision import WriteDecision, conflict_kind, decide, write_status

Revise = tuple[Change, Callable[[MemoryItem], MemoryItem]]
"""What a change is called, and the next version of a memory by it."""


@dataclass(frozen=True)
class Writing:
    """The changes that one author makes in one unit of work.

    Every change stores the item, its citations, its version (history, audit, index) and a receipt. Repeating an
    idempotency key repeats the receipt and changes nothing.
    """

    unit: UnitOfWork
    author: Author

    async def write(self, draft: MemoryDraft) -> WriteReceipt:
        """Remember one assertion, by what is known beside it."""
        answered, beside = await self.unit.compare(draft, self.author.idempotency_key)
        return answered or await self._carry_out(draft, decide(draft, beside))

    async def revise(self, memory_id: UUID, change: Revise) -> WriteReceipt:
        """Store the next version of a memory, with what follows from it for turns and documents."""
        if answered := await self._find_receipt():
            return answered
        name, revised = change
        before = await self.unit.get(memory_id)
        item = revised(before)
        found = displace(before, item, await self.unit.find_in_place(before, item)) if name == "restore" else None
        await self.unit.put(item)
        if name == "restore":
            await self.unit.index_cited_turns(memory_id)
        if name == "restore" or is_doubted(before):
            await self.unit.mark_documents(item, self.author)
        if name in ("forget", "correct"):
            await self.unit.cleanse_documents(item, self.author)
        self.unit.keep_version(item, name, self.author, name)
        if found:
            await self._displace(found, item)
        if name == "forget":
            await self._lift_doubts(before)
        return self._answer(memory_id, name)

    async def set_use(self, memory_id: UUID, use: ItemUse) -> WriteReceipt:
        """Store how a memory is used; what is excluded takes the turns and lines that say it out of sight with it."""
        if answered := await self._find_receipt():
            return answered
        before = await self.unit.get(memory_id)
        item = set_item_use(before, use, self.author.at)
        if item is before:
            return self._answer(memory_id, "set_use", "merged")
        await self.unit.put(item)
        if before.use == "excluded":
            await self.unit.index_cited_turns(memory_id)
            self.unit.withdraw_covering_summaries(memory_id)
        if "excluded" in (before.use, item.use):
            await self.unit.hide_in_documents(item, self.author)
        self.unit.keep_version(item, "set_use", self.author, "set_use")
        return self._answer(memory_id, "set_use")

    async def replace_citations(self, memory_id: UUID, citations: Sequence[Citation]) -> WriteReceipt:
        """Rest a memory on other citations; on none at all it is retracted."""
        if answered := await self._find_receipt():
            return answered
        held = await self.unit.get(memory_id)
        item = repair_item(held, self.author.at, rests_on_something=bool(citations))
        self.unit.drop_citations(memory_id)
        await self._store(item, "repair", citations=citations)
        return self._answer(memory_id, "repair")

    async def rederive(self, rederivation: Rederivation) -> WriteReceipt:
        """Let a memory give way to its drafts. Raises ``E_CONFLICT`` when it changed meanwhile."""
        await self.unit.lock_slot_of(rederivation.memory_id)
        if answered := await self._find_receipt():
            return answered
        before = await self.unit.get(rederivation.memory_id)
        require_version(before, rederivation.version)
        if read := rederivation.read_anew(before):
            await self._store(reread_item(before, read, self.author.at), "rederive", citations=read.citations)
        else:
            heirs = [await self._write_heir(draft, before) for draft in rederivation.drafts]
            await self._store(give_way(before, heirs[0] if heirs else None, self.author.at), "rederive")
        await self.unit.mark_documents(await self.unit.get(before.memory_id), self.author)
        return self._answer(before.memory_id, "rederive")

    async def _write_heir(self, draft: MemoryDraft, before: MemoryItem) -> UUID:
        """Write a draft beside everything but the memory that it takes the place of, whose doubts it inherits."""
        key = f"{self.author.idempotency_key}:{draft.citations[0].event_id}:{draft.citations[0].start}"
        _, beside = await self.unit.compare(draft, key)
        others = [each for each in beside if each.memory_id != before.memory_id]
        writing = Writing(self.unit, replace(self.author, idempotency_key=key))
        receipt = await writing._carry_out(draft, decide(draft, others))
        heir = await self.unit.get(receipt.memory_id)
        doubted = inherit_doubts(heir, before, self.author.at)
        if receipt.status == "accepted" and doubted is not heir:
            await self._store(doubted, "rederive")
        return receipt.memory_id

    async def mark_stale(self, item: MemoryItem) -> None:
        """Demote a memory whose evidence is in doubt, and ask for its repair."""
        await self._store(mark_item_stale(item, self.author.at), "stale")
        self._answer(item.memory_id, "stale")
        self.unit.enqueue_repair(item.memory_id)

    async def apply_upkeep(self, change: UpkeepChange) -> WriteReceipt:
        """Store what upkeep decided. Raises ``E_CONFLICT`` when the memory changed meanwhile."""
        if answered := await self._find_receipt():
            return answered
        item = apply_upkeep(await self.unit.get(change.memory_id), change, self.author.at)
        await self._store(item, change.change)
        if change.shows_in_documents:
            await self.unit.mark_documents(item, self.author)
        return self._answer(item.memory_id, change.change)

    async def consolidate(self, consolidation: Consolidation) -> WriteReceipt:
        """One memory in the place of several. Raises ``E_CONFLICT`` when one of them changed meanwhile."""
        ids = [memory_id for memory_id, _ in consolidation.members]
        await self.unit.lock_slot_of(ids[0])
        if answered := await self._find_receipt():
            return answered
        members = [await self.unit.get(memory_id) for memory_id in ids]
        require_same_versions(members, consolidation)
        item = consolidate_items(members, self.unit.new_id(), self.author.at)
        await self.unit.put(item)
        self.unit.inherit_citations(item, ids)
        for member in members:
            await self._store(supersede_item(member, item.memory_id, self.author.at, self.author.at), "consolidate")
        self.unit.keep_version(item, "create", self.author, "consolidate")
        return self._answer(item.memory_id, "consolidate")

    async def resolve(self, conflict_id: UUID, settlement: Settlement) -> ConflictStatus:
        """Settle an open conflict; one that the author settled just so changes nothing.

        Raises ``E_NOT_FOUND``, and ``E_BAD_REQUEST`` for a foreign winner.
        """
        conflict = await self.unit.get_conflict(conflict_id)
        for memory_id in sorted((conflict.held_id, conflict.new_id)):
            await self.unit.lock_slot_of(memory_id)
        conflict = await self.unit.get_conflict(conflict_id)  # as it stands now that nobody else changes the pair
        pair = await self.unit.get(conflict.held_id), await self.unit.get(conflict.new_id)
        if conflict.status != "open":
            return repeat_settlement(conflict, pair, settlement, self.author.operator)
        settled, status = settle(pair, settlement, self.author.at), STATUS_BY_RESOLUTION[settlement.resolution]
        for item, _ in settled.changes:
            await self.unit.put(item)
        # Behind the rows of the memories, as every other change locks them, and before the loser's version, which
        # would settle it by itself and less exactly.
        self.unit.settle_conflict(conflict, status, self.author)
        if settled.inherits:
            winner, loser = settled.inherits
            self.unit.inherit_citations(winner, [loser.memory_id])
        for item, change in settled.changes:
            self.unit.keep_version(item, change, self.author, change)
            await self.unit.mark_documents(item, self.author)
        return status

    async def _carry_out(self, draft: MemoryDraft, decision: WriteDecision) -> WriteReceipt:
        match decision.action:
            case "known" | "reject" as action:
                return self._answer(decision.targets[0].memory_id, action, write_status(action))
            case "merge":
                return await self._merge(draft, decision)
            case "retract":
                await self._end(decision.targets, None, draft)
                return self._answer(decision.targets[0].memory_id, "retract")
            case "precede":
                later = decision.targets[0]
                return await self._create(supersede_by_later(self._first_version(draft), later), draft, "precede")
            case action:
                return await self._add(draft, decision, action)

    async def _add(self, draft: MemoryDraft, decision: WriteDecision, action: Action) -> WriteReceipt:
        item = self._first_version(draft)
        if draft.composed:
            item = rest_on_both(item, decision.targets)
        receipt = await self._create(item, draft, action)
        if draft.composed:
            self.unit.inherit_citations(item, [each.memory_id for each in decision.targets])
        if action == "supersede":
            await self._end(decision.targets, item, draft)
        if action == "append_conflict":
            self._open_conflicts(decision.targets, item, draft)
        await self._leave_beside(decision, item, draft)
        return receipt

    async def _leave_beside(self, decision: WriteDecision, item: MemoryItem, draft: MemoryDraft) -> None:
        """What a memory contradicts and does not end: one part of it is over, or the person is asked."""
        self._open_conflicts(decision.contested, item, draft)
        for held in decision.parted:
            over, instead = draft.over or held.object, draft.instead or draft.object
            part = PartOver(over=over, instead=instead, events=tuple(str(each.event_id) for each in draft.citations))
            noted = note_part_over(held, part, self.author.at)
            await self._store(noted, "part_over")
            await self.unit.mark_documents(noted, self.author)

    async def _lift_doubts(self, gone: MemoryItem) -> None:
        """What only a memory that is forgotten now spoke against holds again."""
        events = events_of(gone)
        for held in await self.unit.find_doubted_by(events):
            item = lift_doubt(held, events, self.author.at)
            if item is not held and item.memory_id != gone.memory_id:
                await self._store(item, "lift_doubt")
                await self.unit.mark_documents(item, self.author)

    async def _create(self, item: MemoryItem, draft: MemoryDraft, action: Action) -> WriteReceipt:
        await self._store(item, "create", action, draft.citations)
        return self._answer(item.memory_id, action)

    async def _merge(self, draft: MemoryDraft, decision: WriteDecision) -> WriteReceipt:
        item = merge_item(decision.targets[0], draft, self.author.at)
        await self._store(item, "merge", citations=draft.citations)
        if is_doubted(decision.targets[0]):
            await self.unit.mark_documents(item, self.author)
        await self._end(decision.ended, item, draft)
        await self._leave_beside(decision, item, draft)
        return self._answer(item.memory_id, "merge", "merged")

    async def _end(self, targets: Sequence[MemoryItem], by: MemoryItem | None, draft: MemoryDraft) -> None:
        """Supersede what a memory replaces; without one the draft's turns end it, and become part of its evidence."""
        for old in targets:
            if by is None or draft.retracts:
                item, change = retract_item(old, draft, self.author.at), "retract"
            else:
                item, change = supersede_item(old, by.memory_id, draft.valid_at, self.author.at), "supersede"
            await self._store(item, change, citations=() if by else draft.citations)
            await self.unit.mark_documents(item, self.author)

    async def _displace(self, found: Displacement, item: MemoryItem) -> None:
        """End what stands in the place of a restored memory, or open a conflict with it."""
        for held in found.ended:
            over = supersede_item(held, item.memory_id, self.author.at, self.author.at)
            await self._store(over, "supersede")
            await self.unit.mark_documents(over, self.author)
        self._open_conflicts(found.contested, item, item)

    def _open_conflicts(self, targets: Sequence[MemoryItem], item: MemoryItem, draft: MemoryDraft | MemoryItem) -> None:
        for held in targets:
            conflict = Conflict(
                conflict_id=self.unit.new_id(),
                kind=conflict_kind(draft, held),
                status="open",
                held_id=held.memory_id,
                new_id=item.memory_id,
                opened_at=self.author.at,
                opened_by=self.author.operator,
            )
            self.unit.open_conflict(conflict)

    def _first_version(self, draft: MemoryDraft) -> MemoryItem:
        return first_version(draft, self.unit.new_id(), self.unit.scope.user_id, self.author.at)

    async def _store(
        self,
        item: MemoryItem,
        change: Change,
        action: Action | None = None,
        citations: Sequence[Citation] = (),
    ) -> None:
        await self.unit.put(item)
        self.unit.cite(item.memory_id, citations)
        self.unit.keep_version(item, change, self.author, action or change)

    async def _find_receipt(self) -> WriteReceipt | None:
        return await self.unit.find_receipt(self.author.idempotency_key)

    def _answer(self, memory_id: UUID, action: Action | Change, status: WriteStatus = "accepted") -> WriteReceipt:
        receipt = WriteReceipt(
            receipt_id=self.unit.new_id(),
            memory_id=memory_id,
            written_at=self.author.at,
            status=status,
            trace_id=self.author.trace_id,
        )
        self.unit.keep_receipt(receipt, self.author, action)
        return receipt


async def mark_stale(unit: UnitOfWork, memory_id: UUID) -> None:
    """Demote a memory whose evidence no longer matches its hash, and ask for its repair."""
    item = await unit.get(memory_id)
    if not item.stale:
        key = f"stale:{memory_id}:{item.version}"
        author = Author(operator="system", reason=MISMATCH, idempotency_key=key, at=item.updated_at)
        await Writing(unit, author).mark_stale(item)
