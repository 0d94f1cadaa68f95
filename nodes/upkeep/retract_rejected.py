"""Take out of the prompts what people keep rejecting."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.fusing import judge_rejection
from evolution.upkeep.state import UpkeepState


async def retract_rejected(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Memories rejected again and again are retracted; a person can bring each of them back."""
    return await judge_each(state, runtime, "fuse", judge_rejection)
