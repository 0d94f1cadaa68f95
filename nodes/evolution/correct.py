"""The urgent path: what a person takes back has ended before any model is asked."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.correcting import corrections
from evolution.knowing import drawn_before, known_beside
from evolution.state import EvolutionState
from evolution.writing import together, written


async def correct(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Write corrections by rules at once; the analysis then reads what is known after them."""
    errand = runtime.context
    ids = await written(errand, await corrections(errand, state), state.said)
    if not ids:
        return {}
    known = await known_beside(errand, state.said)
    return {
        "written": together(state.written, ids),
        "known": known,
        "drawn": await drawn_before(errand, state.said),
    }
