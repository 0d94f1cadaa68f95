"""The urgent path: what a person takes back has ended before any model is asked."""

from langgraph.runtime import Runtime

from brain.evolution.correcting import corrections, taken_back_unseen
from brain.evolution.knowing import drawn_before, known_beside
from brain.evolution.state import EvolutionState, Evolving
from brain.evolution.writing import together, written
from brain.state import Update


async def correct(state: EvolutionState, runtime: Runtime[Evolving]) -> Update:
    """Write corrections by rules at once; the analysis then reads what is known after them."""
    evolving = runtime.context
    ids = await written(evolving, await taken_back_unseen(evolving, state), state.said)
    ids = together(ids, await written(evolving, await corrections(evolving, state), state.said))
    if not ids:
        return {}
    known = await known_beside(evolving, state.said)
    return {
        "written": together(state.written, ids),
        "known": known,
        "drawn": await drawn_before(evolving, state.said),
    }
