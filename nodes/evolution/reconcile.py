"""Is it news, and what does it take the place of?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.reconciling import reconciled
from evolution.state import EvolutionState


async def reconcile(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Echoes of recalled memories are dropped; what is replaced by name is a known memory of the same subject."""
    kept, dropped = reconciled(state)
    return {"candidates": kept, "dropped": dropped}
