"""Can each memory be understood by itself a year from now?"""

from typing import Literal

from langgraph.runtime import Runtime

from brain.evolution.absolutizing import absolute
from brain.evolution.state import EvolutionState, Evolving, Update

ROUNDS = 2


async def absolutize(state: EvolutionState, runtime: Runtime[Evolving]) -> Update:
    """Candidates in names, dates and places; what stays unclear is named in ``unresolved``."""
    return {"candidates": absolute(state.candidates, (*state.before, *state.said)), "rounds": ROUNDS}


def needs_another_round(state: EvolutionState) -> Literal["absolutize", "normalize"]:
    """Is there anything left to make clear, and a round to do it in?"""
    unclear = any(each["unresolved"] for each in state.candidates)
    return "absolutize" if unclear and state.rounds < ROUNDS else "normalize"
