"""Turns whose words come again, in memory."""

from collections.abc import Sequence
from uuid import UUID

from memory.contracts import Event, NewTurn
from memory.in_memory.session_state import is_unreadable
from memory.in_memory.store import Compartment
from memory.session_state import ENDINGS, SessionEnding


def find_known_turn(space: Compartment, turn: NewTurn) -> UUID | None:
    """The turn that has these words: the same message of the thread, or said by the same run."""
    known = space.keys.get(turn.words.idempotency_key or "")
    for operation_id, event in space.events:
        of_run = turn.run_id is not None and space.runs.get(event.event_id) == turn.run_id
        if event.session_id == turn.session.session_id and (
            event.event_id == known or (of_run and event.role == "user" and event.text == turn.words.text)
        ):
            return operation_id
    return None


def is_of_run(space: Compartment, operation_id: UUID, run_id: str | None) -> bool:
    """Whether the same run brought the turn's words before."""
    said = (event for event in space.turn(operation_id) if event.role == "user")
    return run_id is not None and any(space.runs.get(event.event_id) == run_id for event in said)


def find_answer(space: Compartment, operation_id: UUID) -> str | None:
    """The whole reply to a turn; empty where it may not be told again."""
    for event in reversed(space.turn(operation_id)):
        if event.role == "assistant" and not event.broken_off and event.event_id not in space.replaced:
            return "" if is_unreadable(space, event) else event.text
    return None


def list_endings(space: Compartment, name: str | None) -> list[SessionEnding]:
    """How conversations ended, the one that was used last first."""
    said: dict[str, list[Event]] = {}
    for operation, event in space.events:
        session = space.sessions[event.session_id].name
        if operation not in space.left and name in (None, session):
            said[session] = [*said.pop(session, []), event]
    endings = [_ending(session, events) for session, events in reversed(said.items())]
    return [each for each in endings if each.words][:ENDINGS]


def _ending(name: str, events: Sequence[Event]) -> SessionEnding:
    words = [event for event in events if event.role == "user"][-2:]
    last = words[-1].position if words else -1
    replies = [event.text for event in events if event.role == "assistant" and event.position > last]
    return SessionEnding(name=name, words=tuple(event.text for event in words), reply=replies[-1] if replies else "")


def list_readable(space: Compartment, operations: Sequence[UUID]) -> list[Event]:
    """What was said in some turns, as far as it may be read; of much the last."""
    said = [event for each in operations for event in space.turn(each)]
    return [each for each in said if each.event_id not in space.replaced and not is_unreadable(space, each)][-200:]
