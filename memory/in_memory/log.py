"""The log port, in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

from memory.contracts import (
    Capture,
    Event,
    Forgotten,
    NewTurn,
    Operation,
    Reaction,
    Receipt,
    TurnReceipt,
    TurnRef,
    Utterance,
)
from memory.in_memory.accepted_turns import InMemoryAcceptedTurns, release
from memory.in_memory.branches import find_newest, follow_branch, list_behind, move_head, note_place
from memory.in_memory.known_turns import find_answer, find_known_turn, is_of_run, list_endings, list_readable
from memory.in_memory.ledger import add_spendings
from memory.in_memory.session_state import build_session_state, is_unreadable
from memory.in_memory.store import AcceptedTurn, Compartment, InMemoryStore
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.index_rows import rows_of_utterance
from memory.paging import Cursor
from memory.scope import Scope
from memory.session_state import KnownTurn, SessionEnding, SessionState, just_before


@dataclass
class InMemoryLog(InMemoryAcceptedTurns):
    """The log port."""

    async def open(
        self, scope: Scope, session_id: UUID, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        return build_session_state(self.store, scope, session_id, (window, documents, day), None)

    async def accept(
        self, scope: Scope, turn: NewTurn, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        space, session = self.store.compartment_of(scope), turn.session
        known = find_known_turn(space, turn)
        is_retried = known is not None and is_of_run(space, known, turn.run_id)
        went_on_at = None if is_retried else follow_branch(InMemoryUnit(self.store, scope), turn, known)
        opened = build_session_state(self.store, scope, session.session_id, (window, documents, day), known)
        if known is None:
            off = bool(space.carried.get(session.session_id, {}).get("off_record"))
            self._log(scope, _as_capture(turn), [replace(turn.words, visibility="session") if off else turn.words])
            note_place(space, turn)
        operation_id = turn.operation_id if known is None else known
        accepted = AcceptedTurn(scope, operation_id, turn.run_id or "", turn.words.occurred_at)
        if all((each.operation_id, each.run_id) != (operation_id, accepted.run_id) for each in self.store.accepted):
            self.store.accepted.append(accepted)
        spoken = space.turn(operation_id)
        began_at = min(event.occurred_at for event in spoken if event.role == "user")
        return replace(
            opened,
            operation_id=operation_id,
            own=tuple(event.event_id for event in spoken),
            began_at=began_at,
            moved=went_on_at is not None,
            as_of=just_before(began_at) if known else went_on_at,
            follows=space.places[operation_id].parent if operation_id in space.places else None,
            newest=find_newest(space, turn.thread_id),
            known=KnownTurn(answer=find_answer(space, known), is_retried=is_retried) if known else None,
        )

    async def follow_thread(self, scope: Scope, thread_id: str, behind: UUID | None) -> list[Event]:
        space = self.store.compartment_of(scope)
        return list_readable(space, list_behind(space, thread_id, behind))

    async def list_endings(self, scope: Scope, name: str | None = None) -> list[SessionEnding]:
        return list_endings(self.store.compartment_of(scope), name)

    async def return_to_turn(
        self, scope: Scope, turn: TurnRef, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        space = self.store.compartment_of(scope)
        place = space.places.get(turn.operation_id)
        unit = InMemoryUnit(self.store, scope)
        moved = move_head(unit, place.thread, turn.operation_id, turn.at) if place and turn.forks else None
        known = turn.operation_id if turn.operation_id in space.operations else None
        opened = build_session_state(self.store, scope, turn.session_id, (window, documents, day), known)
        return replace(opened, moved=moved is not None)

    async def find_forgotten(self, scope: Scope, ids: Sequence[UUID], since: datetime) -> Forgotten:
        space = self.store.compartment_of(scope)
        hidden = {item.memory_id: item.updated_at for item in space.items.values() if item.is_withheld}
        events = [event for each in ids if (event := space.event(each))]
        unread = {event.event_id for event in events if is_unreadable(space, event)}
        anything = any(at > since for at in hidden.values())
        return Forgotten(ids=frozenset(unread | hidden.keys() & set(ids)), anything=anything)

    async def capture(self, scope: Scope, capture: Capture) -> None:
        space = self.store.compartment_of(scope)
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
        _record_usage(self.store, scope, capture)

    def _log(self, scope: Scope, capture: Capture, new: Sequence[Utterance]) -> None:
        space, session_id = self.store.compartment_of(scope), capture.session.session_id
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
        if utterance.is_searchable:
            rows = rows_of_utterance(scope, session_id, utterance, event.position)
            space.rows |= {row.source_id: row for row in rows}

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        wanted = set(event_ids)
        found = [event for _, event in self.store.compartment_of(scope).events if event.event_id in wanted]
        return sorted(found, key=lambda event: (event.session_id, event.position))

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        return self.store.compartment_of(scope).turn(operation_id)

    async def find_readable(self, scope: Scope, operation_ids: Sequence[UUID]) -> frozenset[UUID]:
        space = self.store.compartment_of(scope)
        return frozenset(each for each in operation_ids if _is_readable(space, each))

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        sessions = self.store.compartment_of(scope).sessions
        return {each: sessions[each].name for each in session_ids if each in sessions}

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        kept = self.store.compartment_of(scope).receipts.get(operation_id, [])
        return sorted(kept, key=lambda receipt: receipt.receipt_type, reverse=True)

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        return self.store.compartment_of(scope).operations.get(operation_id)

    async def list_turn_receipts(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[TurnReceipt]:
        found = _turn_receipts(self.store.compartment_of(scope))
        kept = sorted(found, key=lambda r: (r.created_at, r.receipt_id), reverse=True)
        return [r for r in kept if after is None or (r.created_at, r.receipt_id) < (after.at, after.row_id)][:limit]

    async def list_operations(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[Operation]:
        kept = sorted(
            self.store.compartment_of(scope).operations.values(),
            key=lambda o: (o.created_at, o.operation_id),
            reverse=True,
        )
        return [o for o in kept if after is None or (o.created_at, o.operation_id) < (after.at, after.row_id)][:limit]

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        space = self.store.compartment_of(scope)
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


def _withhold(space: Compartment, capture: Capture) -> None:
    """How far the words may be read is known when their turn ends."""
    if capture.visibility == "all":
        return
    for event in space.turn(capture.operation_id):
        if event.role == "user":
            space.visibilities[event.event_id] = capture.visibility
            for row in space.rows_of_turn(event.event_id):
                del space.rows[row.source_id]


def _is_readable(space: Compartment, operation_id: UUID) -> bool:
    said = [event for event in space.turn(operation_id) if event.role == "user"]
    is_open = all(space.visibilities.get(event.event_id, "all") == "all" for event in said)
    return bool(said) and is_open and not any(is_unreadable(space, event) for event in said)


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


def _record_usage(store: InMemoryStore, scope: Scope, capture: Capture) -> None:
    """Reactions, tokens and receipts; a repetition is known by its receipts."""
    space = store.compartment_of(scope)
    kept = space.receipts.setdefault(capture.operation_id, [])
    known = {each.receipt_id for each in kept}
    new = [each for each in capture.receipts if each.receipt_id not in known]
    _apply_reactions(space, capture.reactions)
    if capture.spendings and capture.moments and len(new) == len(capture.receipts):
        add_spendings(store, scope, capture.day, capture.spendings)
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
