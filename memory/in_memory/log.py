"""The log port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

from memory.contracts import (
    Capture,
    Event,
    Forgotten,
    InjectedMemory,
    NewTurn,
    Operation,
    Reaction,
    Receipt,
    TurnReceipt,
    TurnRef,
    Utterance,
)
from memory.in_memory.accepted_turns import InMemoryAcceptedTurns, release
from memory.in_memory.branches import follow_branch, move_head, note_place
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.ledger import add_spendings, sum_tokens
from memory.in_memory.store import AcceptedTurn, Compartment, InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.index_rows import rows_of_utterance
from memory.paging import Cursor
from memory.scope import Scope
from memory.session_state import SessionState, just_before

SHOWN_BLOCKS = 5
"""How many blocks the statement that opens a session brings."""


@dataclass
class InMemoryLog(InMemoryAcceptedTurns):
    """The log port."""

    async def open(
        self, scope: Scope, session_id: UUID, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        return self._build_session_state(scope, session_id, (window, documents, day), None)

    async def accept(
        self, scope: Scope, turn: NewTurn, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        space, session = self.shelf.compartment_of(scope), turn.session
        known = _find_duplicate_turn(space, turn)
        went_on_at = follow_branch(InMemoryUnit(self.shelf, scope), turn, known)
        opened = self._build_session_state(scope, session.session_id, (window, documents, day), known)
        if known is None:
            off = bool(space.carried.get(session.session_id, {}).get("off_record"))
            self._log(scope, _as_capture(turn), [replace(turn.words, visibility="session") if off else turn.words])
            note_place(space, turn)
        operation_id = turn.operation_id if known is None else known
        accepted = AcceptedTurn(scope, operation_id, turn.run_id or "", turn.words.occurred_at)
        if all((each.operation_id, each.run_id) != (operation_id, accepted.run_id) for each in self.shelf.accepted):
            self.shelf.accepted.append(accepted)
        spoken = space.turn(operation_id)
        began_at = min(event.occurred_at for event in spoken if event.role == "user")
        return replace(
            opened,
            operation_id=operation_id,
            own=tuple(event.event_id for event in spoken),
            began_at=began_at,
            moved=went_on_at is not None,
            as_of=just_before(began_at) if known else went_on_at,
        )

    async def return_to_turn(
        self, scope: Scope, turn: TurnRef, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        space = self.shelf.compartment_of(scope)
        place = space.places.get(turn.operation_id)
        unit = InMemoryUnit(self.shelf, scope)
        moved = move_head(unit, place.thread, turn.operation_id, turn.at) if place else None
        known = turn.operation_id if turn.operation_id in space.operations else None
        opened = self._build_session_state(scope, turn.session_id, (window, documents, day), known)
        return replace(opened, moved=moved is not None)

    async def find_forgotten(self, scope: Scope, ids: Sequence[UUID], since: datetime) -> Forgotten:
        space = self.shelf.compartment_of(scope)
        deleted = {item.memory_id: item.updated_at for item in space.items.values() if item.status == "deleted"}
        events = [event for each in ids if (event := space.event(each))]
        unread = {event.event_id for event in events if _is_unreadable(space, event)}
        anything = any(at > since for at in deleted.values())
        return Forgotten(ids=frozenset(unread | deleted.keys() & set(ids)), anything=anything)

    def _build_session_state(
        self, scope: Scope, session_id: UUID, asked: tuple[int, Sequence[UUID], date | None], own: UUID | None
    ) -> SessionState:
        """The session as it stands; without the turn that was accepted before and comes again."""
        (window, documents, day), space = asked, self.shelf.compartment_of(scope)
        spent = sum_tokens(self.shelf, scope, day) if day else 0
        wanted = tuple(space.documents[each] for each in documents if each in space.documents)
        before = space.turn(own)[0].position if own else space.positions.get(session_id, 0)
        spoken = [
            (operation, event)
            for operation, event in space.events
            if event.session_id == session_id and event.position < before and operation not in space.left
        ]
        if not spoken:
            return SessionState(documents=wanted, tokens_spent=spent)
        last, run_id = spoken[-1][0], space.runs.get(spoken[-1][1].event_id)
        waiting = [each for each in space.receipts.get(last, []) if space.runs.get(each.receipt_id) == run_id]
        blocks = [each for each in space.blocks.get(session_id, []) if each.last_position < before]
        reached = blocks[-1].last_position if blocks else -1
        live = [e for _, e in spoken if e.position > reached and e.event_id not in space.replaced]
        gone = {event.event_id: event.sha256 for _, event in spoken if _is_unreadable(space, event)}
        return SessionState(
            window=tuple([event for event in live if event.event_id not in gone][-window:]),
            summaries=tuple(each.text for each in blocks if each.text and not each.withdrawn)[-SHOWN_BLOCKS:],
            unsummarised=max(before - reached - 1, 0),
            entity_slots=space.slots.get(session_id, {}),
            injected=tuple(_injected_memories(waiting)),
            turns=before,
            documents=wanted,
            tokens_spent=spent,
            gone=frozenset(gone.values()),
            carried=space.carried.get(session_id, {}),
        )

    async def capture(self, scope: Scope, capture: Capture) -> None:
        space = self.shelf.compartment_of(scope)
        if capture.accepted and capture.operation_id not in space.operations:
            return
        self._log(scope, capture, [each for each in capture.utterances if not _is_duplicate(space, capture, each)])
        if capture.carried is not None:
            space.carried[capture.session.session_id] = dict(capture.carried)
        if capture.accepted:
            _withhold(space, capture)
            _replace_replies(space, capture)
        release(space, scope, capture.operation_id)
        _finish_operation(space, capture)
        if capture.ends:
            space.archived.add(capture.session.session_id)
        _record_usage(self.shelf, scope, capture)

    def _log(self, scope: Scope, capture: Capture, new: Sequence[Utterance]) -> None:
        space, session_id = self.shelf.compartment_of(scope), capture.session.session_id
        for utterance in new:
            self._append(space, scope, capture, utterance)
        if new:
            space.sessions[session_id] = capture.session
            space.archived.discard(session_id)
            space.slots.setdefault(session_id, {}).update(capture.entity_slots)
            at = max(each.occurred_at for each in new)
            space.operations.setdefault(capture.operation_id, _new_operation(capture.operation_id, at))
            space.accepted.setdefault(capture.operation_id, (session_id, scope.user_id))

    def _append(self, space: Compartment, scope: Scope, capture: Capture, utterance: Utterance) -> None:
        session_id = capture.session.session_id
        event = _event(utterance, session_id, space.positions.get(session_id, 0))
        space.positions[session_id] = event.position + 1
        space.events.append((capture.operation_id, event))
        if utterance.idempotency_key:
            space.keys[utterance.idempotency_key] = event.event_id
        if capture.run_id:
            space.runs[event.event_id] = capture.run_id
        space.visibilities[event.event_id] = utterance.visibility
        if utterance.indexed and utterance.visibility == "all":
            rows = rows_of_utterance(scope, session_id, utterance, event.position)
            space.rows |= {row.source_id: row for row in rows}

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        wanted = set(event_ids)
        found = [event for _, event in self.shelf.compartment_of(scope).events if event.event_id in wanted]
        return sorted(found, key=lambda event: (event.session_id, event.position))

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        return self.shelf.compartment_of(scope).turn(operation_id)

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        sessions = self.shelf.compartment_of(scope).sessions
        return {each: sessions[each].name for each in session_ids if each in sessions}

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        kept = self.shelf.compartment_of(scope).receipts.get(operation_id, [])
        return sorted(kept, key=lambda receipt: receipt.receipt_type, reverse=True)

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        return self.shelf.compartment_of(scope).operations.get(operation_id)

    async def list_turn_receipts(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[TurnReceipt]:
        found = _turn_receipts(self.shelf.compartment_of(scope))
        kept = sorted(found, key=lambda r: (r.created_at, r.receipt_id), reverse=True)
        return [r for r in kept if after is None or (r.created_at, r.receipt_id) < (after.at, after.row_id)][:limit]

    async def list_operations(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[Operation]:
        kept = sorted(
            self.shelf.compartment_of(scope).operations.values(),
            key=lambda o: (o.created_at, o.operation_id),
            reverse=True,
        )
        return [o for o in kept if after is None or (o.created_at, o.operation_id) < (after.at, after.row_id)][:limit]

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        space = self.shelf.compartment_of(scope)
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
        broken_off=utterance.broken_off,
    )


def _is_unreadable(space: Compartment, event: Event) -> bool:
    return space.visibilities.get(event.event_id) == "log" or says_forgotten(space, event.event_id)


def _withhold(space: Compartment, capture: Capture) -> None:
    """How far the words may be read is known when their turn ends."""
    if capture.visibility == "all":
        return
    for event in space.turn(capture.operation_id):
        if event.role == "user":
            space.visibilities[event.event_id] = capture.visibility
            for row in space.rows_of_turn(event.event_id):
                del space.rows[row.source_id]


def _finish_operation(space: Compartment, capture: Capture) -> None:
    """Nobody else looks at a turn of which all is done."""
    known = space.operations.get(capture.operation_id)
    if capture.settled and known is not None and known.status == "queued":
        at = max(capture.moments)
        space.operations[capture.operation_id] = replace(
            known, status="nothing", reason=capture.settled, finished_at=at
        )


def _as_capture(turn: NewTurn) -> Capture:
    return Capture(operation_id=turn.operation_id, session=turn.session, utterances=(turn.words,), run_id=turn.run_id)


def _find_duplicate_turn(space: Compartment, turn: NewTurn) -> UUID | None:
    """The turn that has these words: the same message of the thread, or said by the same run."""
    known = space.keys.get(turn.words.idempotency_key or "")
    for operation_id, event in space.events:
        of_run = turn.run_id is not None and space.runs.get(event.event_id) == turn.run_id
        if event.session_id == turn.session.session_id and (
            event.event_id == known or (of_run and event.role == "user" and event.text == turn.words.text)
        ):
            return operation_id
    return None


def _is_duplicate(space: Compartment, capture: Capture, said: Utterance) -> bool:
    """Whether the key was taken, or a reply broke off in a run that has replied."""
    of_run = (
        event for event in space.turn(capture.operation_id) if space.runs.get(event.event_id) == (capture.run_id or 0)
    )
    return said.idempotency_key in space.keys or (
        said.broken_off and any(event.role == "assistant" for event in of_run)
    )


def _replace_replies(space: Compartment, capture: Capture) -> None:
    """The newest reply stands for the others to the same words; one that broke off only for such ones."""
    turn, new = space.turn(capture.operation_id), {each.event_id for each in capture.utterances}
    for given in (event for event in turn if event.event_id in new):
        for event in turn:
            if event.role == "assistant" and event != given and (event.broken_off or not given.broken_off):
                space.replaced.setdefault(event.event_id, given.event_id)
                for row in space.rows_of_turn(event.event_id):
                    del space.rows[row.source_id]


def _record_usage(shelf: InMemoryStore, scope: Scope, capture: Capture) -> None:
    """Reactions, tokens and receipts; a repetition is known by its receipts."""
    space = shelf.compartment_of(scope)
    kept = space.receipts.setdefault(capture.operation_id, [])
    known = {each.receipt_id for each in kept}
    new = [each for each in capture.receipts if each.receipt_id not in known]
    _apply_reactions(space, capture.reactions)
    if capture.spendings and capture.moments and len(new) == len(capture.receipts):
        add_spendings(shelf, scope, capture.day, capture.spendings)
    kept.extend(new)
    at = max(capture.moments, default=None)
    if at:
        space.receipt_places |= {each.receipt_id: (capture.session.session_id, at) for each in new}
    if capture.run_id:
        space.runs |= {each.receipt_id: capture.run_id for each in new}


def _new_operation(operation_id: UUID, at: datetime) -> Operation:
    return Operation(
        operation_id=operation_id, status="accepted", reason=None, memory_ids=(), created_at=at, finished_at=None
    )


def _injected_memories(receipts: Iterable[Receipt]) -> Iterator[InjectedMemory]:
    for receipt in receipts:
        placed = receipt.details.get("context_position") is not None
        if receipt.receipt_type == "injection" and placed and receipt.user_feedback_signal is None:
            assert receipt.memory_id is not None
            assert receipt.lane is not None
            text = str(receipt.details.get("text", ""))
            yield InjectedMemory(
                receipt_id=receipt.receipt_id, memory_id=receipt.memory_id, lane=receipt.lane, text=text
            )


def _turn_receipts(space: Compartment) -> Iterator[TurnReceipt]:
    for operation_id, receipts in space.receipts.items():
        for each in receipts:
            if each.receipt_type == "retrieval":
                session_id, at = space.receipt_places[each.receipt_id]
                yield TurnReceipt(
                    receipt_id=each.receipt_id,
                    operation_id=operation_id,
                    session_id=session_id,
                    details=each.details,
                    created_at=at,
                )


def _apply_reactions(space: Compartment, reactions: Sequence[Reaction]) -> None:
    for reaction in reactions:
        if row := space.rows.get(reaction.memory_id):
            injected, positive = row.injected_count + 1, row.positive_count + reaction.is_welcome
            space.rows[row.source_id] = replace(row, injected_count=injected, positive_count=positive)
    by_id = {reaction.receipt_id: reaction for reaction in reactions}
    for receipts in space.receipts.values():
        for place, receipt in enumerate(receipts):
            if (reaction := by_id.get(receipt.receipt_id)) and receipt.user_feedback_signal is None:
                used = receipt.utilized if reaction.utilized is None else reaction.utilized
                receipts[place] = replace(receipt, user_feedback_signal=reaction.signal, utilized=used)
