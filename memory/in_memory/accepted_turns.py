"""Accepted turns whose run has not ended, in memory: taken back on a rollback, released when it is abandoned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.contracts import Event
from memory.in_memory.pending_turns import InMemoryPendingTurns
from memory.in_memory.store import AcceptedTurn, Compartment
from memory.index_rows import rows_of_event
from memory.scope import Scope


@dataclass
class InMemoryAcceptedTurns(InMemoryPendingTurns):
    """The part of the log port that servers and sweepers lean on; nobody in particular asks."""

    async def take_back(self, run_ids: Sequence[str]) -> int:
        turns = [each for each in self.store.accepted if each.run_id and each.run_id in run_ids]
        for turn in turns:
            _take_back(self.store.compartment_of(turn.scope), turn)
            self.store.accepted.remove(turn)
        return len(turns)

    async def release_abandoned(self, before: datetime) -> int:
        turns = [each for each in self.store.accepted if each.at <= before]
        for turn in turns:
            release(self.store.compartment_of(turn.scope), turn.scope, turn.operation_id)
            self.store.accepted.remove(turn)
        return len(turns)


def release(space: Compartment, scope: Scope, operation_id: UUID) -> None:
    """Memory may look at a turn whose run has ended, and at those before it of which nothing was heard."""
    ended = space.operations.get(operation_id)
    if ended is None:
        return
    place = space.accepted[operation_id]
    for other, operation in space.operations.items():
        if (
            operation.status == "accepted"
            and operation.created_at <= ended.created_at
            and space.accepted[other] == place
        ):
            space.operations[other] = replace(operation, status="queued")


def _take_back(space: Compartment, turn: AcceptedTurn) -> None:
    """As ``brain.take_back`` has it; what memory has looked at stays."""
    events = space.turn(turn.operation_id)
    gone = [event for event in events if space.runs.get(event.event_id) == turn.run_id]
    if _is_processed(space, turn, gone):
        return
    ids = {event.event_id for event in gone}
    _drop_events(space, turn, ids)
    shown_again = [event for event in events if space.replaced.get(event.event_id) in ids and event.event_id not in ids]
    space.replaced = {event: by for event, by in space.replaced.items() if event not in ids and by not in ids}
    for event in shown_again:
        space.rows |= {row.source_id: row for row in rows_of_event(turn.scope, event)}


def _is_processed(space: Compartment, turn: AcceptedTurn, gone: Sequence[Event]) -> bool:
    operation = space.operations.get(turn.operation_id)
    cited = {each.event_id for citations in space.citations.values() for each in citations}
    return any(event.event_id in cited for event in gone) or (
        operation is not None
        and operation.status not in ("accepted", "queued")
        and any(event.role == "user" for event in gone)
    )


def _drop_events(space: Compartment, turn: AcceptedTurn, ids: set[UUID]) -> None:
    space.events = [each for each in space.events if each[1].event_id not in ids]
    space.keys = {key: event for key, event in space.keys.items() if event not in ids}
    space.rows = {source: row for source, row in space.rows.items() if row.turn_id not in ids}
    receipts = space.receipts.get(turn.operation_id, [])
    space.receipts[turn.operation_id] = [each for each in receipts if space.runs.get(each.receipt_id) != turn.run_id]
    if not space.turn(turn.operation_id):
        space.operations.pop(turn.operation_id, None)
        session_id, _ = space.accepted.pop(turn.operation_id, (None, None))
        if session_id is not None and not space.session_events(session_id):
            space.sessions.pop(session_id, None)
            space.positions.pop(session_id, None)
