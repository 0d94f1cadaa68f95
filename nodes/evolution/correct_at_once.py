"""The urgent path by itself: what a person takes back ends while other turns are still being read."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.memory_writes import write_memories
from evolution.state import EvolutionState
from evolution.urgent_corrections import find_corrections


async def correct_at_once(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Write corrections by rules; their operations stay open for the job that reads the whole of the session."""
    errand = runtime.context
    return {"written": await write_memories(errand, await find_corrections(errand, state), state.said)}
