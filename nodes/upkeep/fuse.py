"""Take out of the prompts what people keep rejecting."""

from langgraph.runtime import Runtime

from brain.state import Update
from brain.upkeep.applying import tend_each
from brain.upkeep.fusing import fused
from brain.upkeep.state import Tidying, UpkeepState


async def fuse(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Memories rejected again and again are retracted; a person can bring each of them back."""
    return await tend_each(state, runtime, "fuse", fused)
