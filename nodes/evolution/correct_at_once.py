"""The urgent path by itself: what a person takes back ends while other turns are still being read."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.correcting import carried_out_at_once, corrections, taken_back_unseen
from evolution.state import EvolutionState
from evolution.writing import together, written


async def correct_at_once(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Write corrections by rules; their operations stay open for the job that reads the whole of the session."""
    errand = runtime.context
    ids = await written(errand, await taken_back_unseen(errand, state), state.said)
    certain = await carried_out_at_once(errand, await corrections(errand, state))
    return {"written": together(ids, await written(errand, certain, state.said))}
