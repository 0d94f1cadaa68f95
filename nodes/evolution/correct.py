"""The urgent path: what a person takes back has ended before any model is asked."""

from langgraph.runtime import Runtime

from brain.evolution.correcting import corrections
from brain.evolution.knowing import known_beside
from brain.evolution.state import EvolutionState, Evolving, Update
from brain.evolution.writing import together, written


async def correct(state: EvolutionState, runtime: Runtime[Evolving]) -> Update:
    """Write corrections by rules at once; the analysis then reads what is known after them."""
    evolving = runtime.context
    candidates = await corrections(evolving, state)
    if not candidates:
        return {}
    ids = together(state.written, await written(evolving, candidates, state.said))
    return {"written": ids, "known": await known_beside(evolving, state.said)}
