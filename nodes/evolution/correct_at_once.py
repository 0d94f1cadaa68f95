"""The urgent path by itself: what a person takes back ends while other turns are still being read."""

from langgraph.runtime import Runtime

from brain.errand import JobContext
from brain.state import Update
from evolution.correcting import find_corrections
from evolution.state import EvolutionState
from evolution.writing import write_memories


async def correct_at_once(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Write corrections by rules; their operations stay open for the job that reads the whole of the session."""
    errand = runtime.context
    return {"written": await write_memories(errand, await find_corrections(errand, state), state.said)}
