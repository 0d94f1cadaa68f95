"""Is it news, and what does it take the place of?"""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.reconciliation import load_own_memories, reconcile_candidates
from evolution.state import EvolutionState
from evolution.supersession import mark_endings


async def reconcile(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Echoes of recalled memories are dropped; what a statement ends is a living memory of the same person."""
    kept, dropped = reconcile_candidates(state)
    if any(each["source"] == "rules" for each in kept):
        kept = mark_endings(kept, await load_own_memories(runtime.context))
    return {"candidates": kept, "dropped": dropped}
