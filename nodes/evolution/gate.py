"""Is it worth a memory, and may it become one?"""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.quality_gate import filter_candidates
from evolution.state import EvolutionState


async def gate(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Junk, secrets and what is hardly believed stay out, each with the code of the reason."""
    kept, dropped = filter_candidates(state.candidates, state.said)
    return {"candidates": kept, "dropped": dropped}
