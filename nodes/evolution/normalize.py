"""Which matter does each candidate belong to?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.normalizing import normalized
from evolution.state import EvolutionState


async def normalize(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Subjects, predicates and denials in one form, each candidate in its slot, repetitions of one turn merged."""
    return {"candidates": normalized(state.candidates, state.said)}
