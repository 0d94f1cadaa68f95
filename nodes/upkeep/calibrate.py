"""Let belief follow how people took what was said from memory."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.upkeep.applying import tend_each
from evolution.upkeep.calibration import calibrated, validated
from evolution.upkeep.state import UpkeepState


async def calibrate(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Corrections lower a confidence, welcome uses raise it, and a welcome use counts as a validation."""
    return await tend_each(state, runtime, "calibrate", lambda each: calibrated(each) or validated(each))
