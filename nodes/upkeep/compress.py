"""Put away what is over, and keep what is long and old in fewer words."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.forgetting import judge_compression
from evolution.upkeep.state import UpkeepState


async def compress(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Outdated memories of which little is retained are archived; the words before are one version back."""
    at = datetime.fromisoformat(state.at)
    return await judge_each(state, runtime, "compress", lambda each: judge_compression(each, at))
