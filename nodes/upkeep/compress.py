"""Put away what is over, and keep what is long and old in fewer words."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.upkeep.applying import Planned, carry_out
from brain.upkeep.forgetting import forgotten
from brain.upkeep.reading import everything_living
from brain.upkeep.state import Tidying, Update, UpkeepState


async def compress(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Outdated memories of which little is retained are archived; the words before are one version back."""
    if "compress" not in state.steps:
        return {}
    context, at = runtime.context, datetime.fromisoformat(state.at)
    living = everything_living(context.resources.memory.upkeep, context.scope)
    planned = [Planned(verdict, (each.item,)) async for each in living if (verdict := forgotten(each, at))]
    return await carry_out(state, runtime, "compress", planned)
