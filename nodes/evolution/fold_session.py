"""Is the conversation longer than its window? Then its beginning becomes a summary."""

from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.state import EvolutionState
from evolution.summaries.fold_session import fold_session_turns


async def fold_session(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """The oldest turns beyond the window stand in a block from now on; a session that ended is folded to its end."""
    folded = await fold_session_turns(runtime.context, UUID(state.session_id))
    return {"degraded": list(folded.degraded)}
