"""Is it news, and what does it take the place of?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.endings import with_endings
from evolution.reconciling import own_memories, reconciled
from evolution.state import EvolutionState


async def reconcile(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Echoes of recalled memories are dropped; what a statement ends is a living memory of the same person."""
    kept, dropped = reconciled(state)
    if any(each["source"] == "rules" for each in kept):
        kept = with_endings(kept, await own_memories(runtime.context))
    return {"candidates": kept, "dropped": dropped}
