"""Turns whose words come again, in memory."""

from uuid import UUID

from memory.contracts import NewTurn
from memory.in_memory.session_state import is_unreadable
from memory.in_memory.store import Compartment


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
