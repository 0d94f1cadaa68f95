"""The urgent path: what a person takes back has ended before any model is asked."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.known_memories import find_prior_candidates, find_related_memories
from evolution.memory_writes import merge_memory_ids, write_memories
from evolution.state import EvolutionState
from evolution.urgent_corrections import find_corrections


async def correct(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Write corrections by rules at once; the analysis then reads what is known after them."""
    errand = runtime.context
    ids = await write_memories(errand, await find_corrections(errand, state), state.said)
    if not ids:
        return {}
    known = await find_related_memories(errand, state.said)
    return {
        "written": merge_memory_ids(state.written, ids),
        "known": known,
        "drawn": await find_prior_candidates(errand, state.said),
    }
