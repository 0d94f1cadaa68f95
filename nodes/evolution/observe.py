"""What was said since somebody last looked, and what explains it."""

from collections.abc import Collection, Mapping
from typing import Literal
from uuid import UUID

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.rationing import why_without_model
from brain.state import Update
from evolution.extraction.small_talk import states_something
from evolution.knowing import corrects, drawn_before, known_beside
from evolution.state import Asked, EvolutionState, said_of
from memory.names import required_id
from memory.scope import Scope, session_id_of

MOST_TURNS = 60
"""Turns that are looked at together; a longer operation stays whole."""


async def observe(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """The session's waiting operations with the turns before, what had been recalled for them, and what is known."""
    errand = runtime.context
    session_id = _session(state, errand.scope)
    waiting = await errand.resources.memory.log.waiting(errand.scope, session_id, MOST_TURNS)
    said = [said_of(event, str(operation)) for operation, event in waiting.said]
    return {
        "session_id": str(session_id),
        "operations": [str(operation) for operation in waiting.operations],
        "said": said,
        "before": [said_of(event) for event in waiting.before],
        "recalled": {str(operation): list(texts) for operation, texts in waiting.recalled.items()},
        "known": await known_beside(errand, said, recalled=bool(waiting.recalled)) if states_something(said) else [],
        "drawn": await drawn_before(errand, said),
        "unlike": [str(operation) for operation in _unlike(waiting.models, errand.resources.models.names)],
        "more": waiting.more,
        "without_model": await why_without_model(
            errand.resources, errand.scope, urgent=any(corrects(turn) for turn in said)
        ),
    }


def _unlike(models: Mapping[UUID, Collection[str]], ours: frozenset[str]) -> list[UUID]:
    """Operations whose turn asked none of this worker's models, though one of both had some."""
    return [operation for operation, theirs in models.items() if (theirs or ours) and ours.isdisjoint(theirs)]


def _session(asked: Asked, scope: Scope) -> UUID:
    return required_id(asked.session_id) if asked.session_id else session_id_of(scope, asked.session)


def what_now(state: EvolutionState) -> Literal["correct", "analyze", "write"]:
    """Does anybody take something back, or state anything at all?"""
    if any(corrects(turn) for turn in state.said):
        return "correct"
    return "analyze" if states_something(state.said) else "write"
