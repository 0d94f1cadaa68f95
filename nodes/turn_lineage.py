"""Where a turn stands in its thread. A client may write what the state says of it, so nothing else rests on it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from langgraph.config import get_config
from langgraph.runtime import Runtime

from brain.context import Context
from brain.state import State, TurnInfo
from brain.turn_run import thread_of

FIRST_STEP = 1
"""The superstep of a thread in which its first turn opens."""


def parent_of(state: State, thread: str | None) -> UUID | None:
    """The turn that the new one follows: the state's last, or the one before it where its message is put otherwise."""
    last = state.turn
    if thread is None or last is None or (is_copied(state, thread) and last.get("thread") != thread):
        return None
    remains = any(message.id == last.get("message") for message in state.messages[:-1])
    return parse_id(last["operation_id"] if remains or not last.get("message") else last.get("parent", ""))


def is_from_start() -> bool:
    """Whether the thread has gone through other steps before, so that a state without a turn is an old one."""
    return _metadata().get("langgraph_step", 0) > FIRST_STEP


def is_fork(state: State) -> bool:
    """Whether a client named the checkpoint that the run goes on from, or laid it down. A crash names none."""
    return state.laid_down or bool(_metadata().get("checkpoint_id"))


def is_copied(state: State, thread: str | None) -> bool:
    """Whether the thread began as a copy of another one."""
    last = state.turn
    return last is not None and (last.get("copied", False) or bool(thread and last.get("thread", thread) != thread))


def is_learnt(state: State, runtime: Runtime[Context]) -> bool:
    """Whether memory may take anything from the turn that begins."""
    return runtime.context.learn and not is_copied(state, thread_of(runtime))


def learns_from(turn: TurnInfo) -> bool:
    """Whether memory may take anything from a turn that was opened."""
    return turn.get("learnt", True)


def _metadata() -> Mapping[str, Any]:
    try:
        return get_config().get("metadata", {})
    except RuntimeError:  # a node that is called by itself
        return {}


def parse_id(text: str) -> UUID | None:
    """The id that a state holds; None for none."""
    try:
        return UUID(text)
    except ValueError:
        return None
