"""Mark what is probably over by now as outdated."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.upkeep.applying import tend_each
from evolution.upkeep.decay import decayed
from evolution.upkeep.state import UpkeepState


async def decay(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Plans whose date passed and leanings of which nothing was heard: raised no more, still there for the past."""
    at = datetime.fromisoformat(state.at)
    return await tend_each(state, runtime, "decay", lambda each: decayed(each, at))
