"""Let candidates become memories, and say how each accepted turn ended."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.evolution.state import EvolutionState
from brain.evolution.writing import outcomes, together, written
from brain.state import Update


async def write(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Memories in the order in which they were said, then the end of every operation: twice is once."""
    errand = runtime.context
    ids = together(state.written, await written(errand, state.candidates, state.said))
    ends = outcomes(state, ids)
    if ends:
        log = errand.resources.memory.log
        await log.finish(errand.scope, ends, errand.resources.clock())
    return {"written": ids}
