"""Let belief follow how people took what was said from memory."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.calibration import judge_confidence, judge_validation
from evolution.upkeep.state import UpkeepState


async def calibrate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Corrections lower a confidence, welcome uses raise it, and a welcome use counts as a validation."""
    return await judge_each(state, runtime, "calibrate", lambda each: judge_confidence(each) or judge_validation(each))
