"""Does anything that was just said belong in MEMORY?"""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.state import EvolutionState
from evolution.upkeep.curate import read_sources, save_if_new


async def curate_memory(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """After something was written or noted, as of the newest turn. A MEMORY that others write to is left to them.

    Where there are more memories than fit on a page, upkeep curates them.
    """
    if not (state.noted or any(state.written.values())):
        return {}
    at = max(datetime.fromisoformat(turn["at"]) for turn in state.said)
    sources = await read_sources(runtime.context, at, within_page=True)
    if sources is not None:
        await save_if_new(runtime.context, sources)
    return {}
