"""The log port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

from memory.contracts import Capture, Event, Injected, Operation, Reaction, Receipt, Utterance
from memory.in_memory.forgetting import says_forgotten
from memory.in_memory.ledger import spend, spent_on
from memory.in_memory.shelf import Compartment
from memory.in_memory.waiting import InMemoryWaiting
from memory.index_rows import rows_of_utterance
from memory.opened_session import OpenedSession
from memory.scope import Scope

SHOWN_BLOCKS = 5
"""How many blocks the statement that opens a session brings."""


@dataclass
class InMemoryLog(InMemoryWaiting):
    """The log port."""

    async def open(
        self, scope: Scope, session_id: UUID, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> OpenedSession:
        space, spent = self.shelf.of(scope), spent_on(self.shelf, scope, day) if day else 0
        wanted = tuple(space.documents[each] for each in documents if each in space.documents)
        spoken = [(operation, event) for operation, event in space.events if event.session_id == session_id]
        if not spoken:
            return OpenedSession(documents=wanted, tokens_spent=spent)
        waiting = space.receipts.get(spoken[-1][0], [])
        blocks = space.blocks.get(session_id, [])
        live = [event for _, event in spoken if not blocks or event.position > blocks[-1].last_position]
        gone = {event.event_id: event.sha256 for _, event in spoken if _is_gone(space, event)}
        return OpenedSession(
            window=tuple([event for event in live if event.event_id not in gone][-window:]),
            summaries=tuple(each.text for each in blocks if each.text and not each.withdrawn)[-SHOWN_BLOCKS:],
            unsummarised=len(live),
            entity_slots=space.slots.get(session_id, {}),
            injected=tuple(_injected(waiting)),
            turns=len(spoken),
            documents=wanted,
            tokens_spent=spent,
            gone=frozenset(gone.values()),
            carried=space.carried.get(session_id, {}),
        )

    async def capture(self, scope: Scope, capture: Capture) -> None:
        space = self.shelf.of(scope)
        session_id = capture.session.session_id
        new = [each for each in capture.utterances if each.idempotency_key not in space.keys]
        space.sessions[session_id] = capture.session
        space.archived.discard(session_id)
        space.slots.setdefault(session_id, {}).update(capture.entity_slots)
        if capture.carried is not None:
            space.carried[session_id] = dict(capture.carried)
        position = sum(event.session_id == session_id for _, event in space.events)
        for offset, utterance in enumerate(new):
            self._append(space, scope, capture, (utterance, position + offset))
        if new:
            at = max(each.occurred_at for each in new)
            space.operations[capture.operation_id] = _accepted(capture, at)
            space.accepted[capture.operation_id] = (session_id, scope.user_id)
        if capture.ends:
            space.archived.add(session_id)
        space.receipts.setdefault(capture.operation_id, []).extend(capture.receipts)
        _react(space, capture.reactions)
        if capture.spendings and capture.utterances:
            spend(self.shelf, scope, capture.day, capture.spendings)

    def _append(self, space: Compartment, scope: Scope, capture: Capture, placed: tuple[Utterance, int]) -> None:
        utterance, position = placed
        event = _event(utterance, capture.session.session_id, position)
        space.events.append((capture.operation_id, event))
        if utterance.idempotency_key:
            space.keys.add(utterance.idempotency_key)
        space.visibilities[event.event_id] = utterance.visibility
        if utterance.indexed and utterance.visibility == "all":
            rows = rows_of_utterance(scope, capture.session.session_id, utterance, position)
            space.rows |= {row.source_id: row for row in rows}

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        wanted = set(event_ids)
        found = [event for _, event in self.shelf.of(scope).events if event.event_id in wanted]
        return sorted(found, key=lambda event: (event.session_id, event.position))

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        return [event for operation, event in self.shelf.of(scope).events if operation == operation_id]

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        sessions = self.shelf.of(scope).sessions
        return {each: sessions[each].name for each in session_ids if each in sessions}

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        kept = self.shelf.of(scope).receipts.get(operation_id, [])
        return sorted(kept, key=lambda receipt: receipt.receipt_type, reverse=True)

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        return self.shelf.of(scope).operations.get(operation_id)

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        space = self.shelf.of(scope)
        if session_id not in space.sessions or session_id in space.archived:
            return False
        space.archived.add(session_id)
        return True


def _event(utterance: Utterance, session_id: UUID, position: int) -> Event:
    return Event(
        event_id=utterance.event_id,
        session_id=session_id,
        position=position,
        role=utterance.role,
        speaker=utterance.speaker,
        text=utterance.text,
        sha256=sha256(utterance.text.encode()).hexdigest(),
        occurred_at=utterance.occurred_at,
        time_zone=utterance.time_zone,
        reference=utterance.reference,
    )


def _is_gone(space: Compartment, event: Event) -> bool:
    return space.visibilities.get(event.event_id) == "log" or says_forgotten(space, event.event_id)


def _accepted(capture: Capture, at: datetime) -> Operation:
    return Operation(
        operation_id=capture.operation_id,
        status="nothing" if capture.settled else "queued",
        reason=capture.settled or None,
        memory_ids=(),
        created_at=at,
        finished_at=at if capture.settled else None,
    )


def _injected(receipts: Iterable[Receipt]) -> Iterator[Injected]:
    for receipt in receipts:
        placed = receipt.details.get("context_position") is not None
        if receipt.receipt_type == "injection" and placed and receipt.user_feedback_signal is None:
            assert receipt.memory_id is not None
            assert receipt.lane is not None
            text = str(receipt.details.get("text", ""))
            yield Injected(receipt_id=receipt.receipt_id, memory_id=receipt.memory_id, lane=receipt.lane, text=text)


def _react(space: Compartment, reactions: Sequence[Reaction]) -> None:
    for reaction in reactions:
        if row := space.rows.get(reaction.memory_id):
            injected, positive = row.injected_count + 1, row.positive_count + reaction.welcome
            space.rows[row.source_id] = replace(row, injected_count=injected, positive_count=positive)
    by_id = {reaction.receipt_id: reaction for reaction in reactions}
    for receipts in space.receipts.values():
        for place, receipt in enumerate(receipts):
            if reaction := by_id.get(receipt.receipt_id):
                used = receipt.utilized if reaction.utilized is None else reaction.utilized
                receipts[place] = replace(receipt, user_feedback_signal=reaction.signal, utilized=used)
