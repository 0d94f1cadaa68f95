"""Is it worth a memory, and may it become one?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.gating import gated
from evolution.state import EvolutionState


async def gate(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Junk, secrets and what is hardly believed stay out, each with the code of the reason."""
    kept, dropped = gated(state.candidates, state.said)
    return {"candidates": kept, "dropped": dropped}
