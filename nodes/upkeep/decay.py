"""Mark what is probably over by now as outdated."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.decay import judge_decay
from evolution.upkeep.state import UpkeepState


async def decay(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Plans whose date passed and leanings of which nothing was heard: raised no more, still there for the past."""
    at = datetime.fromisoformat(state.at)
    return await judge_each(state, runtime, "decay", lambda each: judge_decay(each, at))
