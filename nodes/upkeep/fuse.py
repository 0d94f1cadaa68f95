"""Take out of the prompts what people keep rejecting."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.upkeep.applying import tend_each
from evolution.upkeep.fusing import fused
from evolution.upkeep.state import UpkeepState


async def fuse(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Memories rejected again and again are retracted; a person can bring each of them back."""
    return await tend_each(state, runtime, "fuse", fused)
