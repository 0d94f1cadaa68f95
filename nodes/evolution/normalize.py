"""Which matter does each candidate belong to?"""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.normalize import normalize_candidates
from evolution.state import EvolutionState


async def normalize(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Subjects, predicates and denials in one form, each candidate in its slot, repetitions of one turn merged."""
    return {"candidates": normalize_candidates(state.candidates, state.said)}
