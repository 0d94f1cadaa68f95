"""Let candidates become memories, and say how each accepted turn ended."""

from langgraph.runtime import Runtime

from brain.evolution.state import EvolutionState, Evolving
from brain.evolution.writing import outcomes, together, written
from brain.state import Update


async def write(state: EvolutionState, runtime: Runtime[Evolving]) -> Update:
    """Memories in the order in which they were said, then the end of every operation: twice is once."""
    evolving = runtime.context
    ids = together(state.written, await written(evolving, state.candidates, state.said))
    ends = outcomes(state, ids)
    if ends:
        log = evolving.resources.memory.log
        await log.finish(evolving.scope, ends, evolving.resources.clock())
    return {"written": ids}
