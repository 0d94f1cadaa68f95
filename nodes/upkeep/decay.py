"""Mark what is probably over by now as outdated."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.upkeep.applying import Planned, carry_out
from brain.upkeep.decay import decayed
from brain.upkeep.reading import everything_living
from brain.upkeep.state import Tidying, Update, UpkeepState


async def decay(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Plans whose date passed and leanings of which nothing was heard: raised no more, still there for the past."""
    if "decay" not in state.steps:
        return {}
    context, at = runtime.context, datetime.fromisoformat(state.at)
    living = everything_living(context.resources.memory.upkeep, context.scope)
    planned = [Planned(verdict, (each.item,)) async for each in living if (verdict := decayed(each, at))]
    return await carry_out(state, runtime, "decay", planned)
