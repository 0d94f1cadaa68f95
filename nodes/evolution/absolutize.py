"""Can each memory be understood by itself a year from now?"""

import asyncio
from collections.abc import Sequence
from typing import Literal

import structlog
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.models.errors import ModelError
from brain.state import Update
from evolution.absolutization.coreference import Transcript
from evolution.absolutization.rewording import reword_unclear
from evolution.absolutization.rules import absolutize_by_rules
from evolution.extraction.prompt import ExtractionInput
from evolution.state import UNCLEAR, EvolutionState, ExtractionCandidate

log = structlog.get_logger(__name__)

ROUNDS = 2
"""How often a model may be asked before a memory is written as unclear as it is."""


async def absolutize(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Candidates in names, dates and places: by rules, and one asking of the model for what these leave unclear.

    In the last round what is still unclear goes on with its words named in ``unresolved``, and an alarm is raised.
    """
    talk = Transcript(turns=(*state.before, *state.said))
    candidates = await asyncio.to_thread(absolutize_by_rules, state.candidates, talk)
    models = runtime.context.resources.models
    model = models.fast or models.chat
    if model is None or not _unclear(candidates):
        return _final_update(candidates)
    reading = ExtractionInput(said=state.said, before=state.before)
    try:
        candidates = await reword_unclear(model, candidates, reading)
    except ModelError as failure:
        return _final_update(candidates, f"absolutization_{failure.reason}")
    if not _unclear(candidates) or state.rounds + 1 >= ROUNDS:
        return _final_update(candidates)
    return {"candidates": candidates, "rounds": state.rounds + 1}


def needs_another_round(state: EvolutionState) -> Literal["absolutize", "normalize"]:
    """Is there anything left to make clear, and a round to do it in?"""
    return "absolutize" if state.rounds < ROUNDS and _unclear(state.candidates) else "normalize"


def _final_update(candidates: list[ExtractionCandidate], *degraded: str) -> Update:
    """The end of the rounds. The log names turns and counts, never what was said."""
    left = _unclear(candidates)
    if left:
        log.warning(UNCLEAR, memories=len(left), words=sum(len(each["unresolved"]) for each in left))
    reasons = [*degraded, *([UNCLEAR] if left else [])]
    return {"candidates": candidates, "rounds": ROUNDS, "degraded": reasons}


def _unclear(candidates: Sequence[ExtractionCandidate]) -> list[ExtractionCandidate]:
    return [each for each in candidates if each["unresolved"]]
