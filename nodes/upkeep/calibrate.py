"""Let belief follow how people took what was said from memory."""

from langgraph.runtime import Runtime

from brain.upkeep.applying import Planned, carry_out
from brain.upkeep.calibration import calibrated, validated
from brain.upkeep.reading import everything_living
from brain.upkeep.state import Tidying, Update, UpkeepState


async def calibrate(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Corrections lower a confidence, welcome uses raise it, and a welcome use counts as a validation."""
    if "calibrate" not in state.steps:
        return {}
    context = runtime.context
    living = everything_living(context.resources.memory.upkeep, context.scope)
    planned = [
        Planned(verdict, (each.item,)) async for each in living if (verdict := calibrated(each) or validated(each))
    ]
    return await carry_out(state, runtime, "calibrate", planned)
