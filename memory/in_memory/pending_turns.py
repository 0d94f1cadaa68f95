"""Accepted turns that wait to be looked at, in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from uuid import UUID

from memory.contracts import Event
from memory.in_memory.branches import settle_memories
from memory.in_memory.forgotten_turns import forgotten_spans, says_forgotten
from memory.in_memory.store import Compartment, InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.pending_turns import Backlog, PendingTurns, blank_spans
from memory.ports import Outcome
from memory.scope import Scope

_EARLIER = 10


@dataclass
class InMemoryPendingTurns:
    """Accepted turns that wait to be looked at."""

    store: InMemoryStore

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> PendingTurns:
        space = self.store.compartment_of(scope)
        asked = _operations(space, scope, session_id, "queued")
        batch = _take_batch(space, asked, most)
        live = [each for each in space.events if each[1].event_id not in space.replaced]
        said = [(operation, event) for operation, event in live if operation in batch]
        first = min((event.position for _, event in said), default=0)
        earlier = [event for _, event in live if event.session_id == session_id and event.position < first]
        before = [event for event in earlier if _is_open(space, event)][-_EARLIER:]
        recalled = {operation: _recalled_texts(space, operation) for operation in batch}
        return PendingTurns(
            operations=tuple(batch),
            said=tuple(
                (operation, blank_spans(event, forgotten_spans(space, event.event_id)))
                for operation, event in sorted(said, key=lambda each: each[1].position)
            ),
            before=tuple(before),
            recalled={operation: texts for operation, texts in recalled.items() if texts},
            models=dict(_models_by_operation(space, batch)),
            more=len(batch) < len(asked),
        )

    async def backlog(self, scope: Scope, most: int) -> Backlog:
        waiting = [tenant for (tenant, _, _), space in self.store.spaces.items() for _ in _pending_jobs(space)][:most]
        return Backlog(waiting.count(scope.tenant_id), len(waiting))

    async def finish(self, scope: Scope, outcomes: Mapping[UUID, Outcome], at: datetime) -> None:
        space = self.store.compartment_of(scope)
        operations = space.operations
        for operation_id in outcomes.keys() & operations.keys():
            outcome = outcomes[operation_id]
            operations[operation_id] = replace(
                operations[operation_id],
                status=outcome.status,
                reason=outcome.reason,
                memory_ids=outcome.memory_ids,
                finished_at=at,
            )
        if outcomes.keys() & space.left.keys():
            settle_memories(InMemoryUnit(self.store, scope), at)

    async def bury(self, scope: Scope, session_id: UUID, reason: str, at: datetime) -> int:
        queued = _operations(self.store.compartment_of(scope), scope, session_id, "queued")
        outcome = Outcome(status="dead_letter", reason=reason)
        await self.finish(scope, dict.fromkeys(queued, outcome), at)
        return len(queued)

    async def reopen(self, scope: Scope, session_id: UUID) -> int:
        space = self.store.compartment_of(scope)
        dead = _operations(space, scope, session_id, "dead_letter")
        for operation_id in dead:
            space.operations[operation_id] = replace(
                space.operations[operation_id], status="queued", reason=None, finished_at=None
            )
        return len(dead)

    async def hasten(self, scope: Scope, operation_id: UUID) -> None:
        """Nothing waits for a pause here."""


def _is_open(space: Compartment, event: Event) -> bool:
    behind = any(event == each and operation in space.left for operation, each in space.events)
    hidden = behind or space.visibilities.get(event.event_id, "all") != "all"
    return not hidden and not says_forgotten(space, event.event_id)


def _pending_jobs(space: Compartment) -> set[tuple[UUID, UUID]]:
    """One for each session and person."""
    return {space.accepted[each.operation_id] for each in space.operations.values() if each.status == "queued"}


def _operations(space: Compartment, scope: Scope, session_id: UUID, status: str) -> list[UUID]:
    """In the order in which they were logged; without those that were left behind."""
    return [
        operation_id
        for operation_id, operation in space.operations.items()
        if operation.status == status
        and operation_id not in space.left
        and space.accepted[operation_id] == (session_id, scope.user_id)
    ]


def _take_batch(space: Compartment, asked: Sequence[UUID], most: int) -> list[UUID]:
    batch: list[UUID] = []
    turns = 0
    for operation_id in asked:
        turns += len(space.turn(operation_id))
        if batch and turns > most:
            break
        batch.append(operation_id)
    return batch


def _models_by_operation(space: Compartment, operations: Sequence[UUID]) -> Iterator[tuple[UUID, tuple[str, ...]]]:
    """Of the turns that have a receipt of their retrieval."""
    for operation_id in operations:
        for receipt in space.receipts.get(operation_id, ()):
            if receipt.receipt_type == "retrieval":
                tokens = cast("Sequence[Mapping[str, object]]", receipt.details.get("tokens", ()))
                yield operation_id, tuple(sorted({str(each["model"]) for each in tokens}))


def _recalled_texts(space: Compartment, operation_id: UUID) -> tuple[str, ...]:
    return tuple(
        str(receipt.details.get("text", ""))
        for receipt in space.receipts.get(operation_id, ())
        if receipt.receipt_type == "injection"
        and receipt.lane != "turn"
        and receipt.details.get("context_position") is not None
    )
