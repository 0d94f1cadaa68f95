"""Reads what was said since the last look, and what explains it."""

from collections.abc import Collection, Mapping
from typing import Literal
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.model_quota import reason_without_model
from brain.state import Update
from evolution.extraction.small_talk import states_something
from evolution.known_memories import find_prior_candidates, find_related_memories, is_correction
from evolution.state import EvolutionRequest, EvolutionState, to_logged_turn
from memory.names import parse_id
from memory.scope import Scope, session_id_of

MAX_TURNS = 60
"""Turns that are looked at together; a longer operation stays whole."""


async def observe(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """The session's waiting operations with the turns before, what had been recalled for them, and what is known."""
    context = runtime.context
    session_id = _session(state, context.scope)
    waiting = await context.resources.memory.log.find_pending_turns(context.scope, session_id, MAX_TURNS)
    said = [to_logged_turn(event, str(operation)) for operation, event in waiting.said]
    return {
        "session_id": str(session_id),
        "operations": [str(operation) for operation in waiting.operations],
        "said": said,
        "before": [to_logged_turn(event) for event in waiting.before],
        "recalled": {str(operation): list(texts) for operation, texts in waiting.recalled.items()},
        "known": await find_related_memories(context, said, recalled=bool(waiting.recalled))
        if states_something(said)
        else [],
        "drawn": await find_prior_candidates(context, said),
        "unlike": [
            str(operation) for operation in _operations_of_other_models(waiting.models, context.resources.models.names)
        ],
        "more": waiting.more,
        "without_model": await reason_without_model(
            context.resources, context.scope, urgent=any(is_correction(turn) for turn in said)
        ),
    }


def _operations_of_other_models(models: Mapping[UUID, Collection[str]], ours: frozenset[str]) -> list[UUID]:
    """Operations whose turn asked none of this worker's models, though one of both had some."""
    return [operation for operation, theirs in models.items() if (theirs or ours) and ours.isdisjoint(theirs)]


def _session(asked: EvolutionRequest, scope: Scope) -> UUID:
    return parse_id(asked.session_id) if asked.session_id else session_id_of(scope, asked.session)


def choose_path(state: EvolutionState) -> Literal["correct", "analyze", "write"]:
    """Does anybody take something back, or state anything at all?"""
    if any(is_correction(turn) for turn in state.said):
        return "correct"
    return "analyze" if states_something(state.said) else "write"
