"""Take out of the prompts what people keep rejecting."""

from langgraph.runtime import Runtime

from brain.upkeep.applying import Planned, carry_out
from brain.upkeep.fusing import fused
from brain.upkeep.reading import everything_living
from brain.upkeep.state import Tidying, Update, UpkeepState


async def fuse(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Memories rejected again and again are retracted; a person can bring each of them back."""
    if "fuse" not in state.steps:
        return {}
    context = runtime.context
    living = everything_living(context.resources.memory.upkeep, context.scope)
    planned = [Planned(verdict, (each.item,)) async for each in living if (verdict := fused(each))]
    return await carry_out(state, runtime, "fuse", planned)
