"""Take out of the prompts what people keep rejecting, before it poisons what is learned next (S0 section 2.3)."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import DOUBTFUL, UpkeepVerdict, is_user_confirmed
from memory.upkeep import ActiveMemory, UpkeepChange

FUSE_IN_A_ROW, FUSE_VOUCHED = 2, 3
"""Corrected uses in a row after which a memory leaves the prompts; one that the user vouched for has one more."""


async def retract_rejected(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Memories rejected again and again are retracted; a person can bring each of them back."""
    return await judge_each(state, runtime, "fuse", judge_rejection)


def judge_rejection(living: ActiveMemory) -> UpkeepVerdict | None:
    """Take a memory that people keep rejecting out of the prompts. A constraint is lowered but never taken out."""
    item, feedback = living.item, living.feedback
    if item.memory_type == "constraint" or living.last_change == "restore":
        return None
    if feedback.corrected_in_a_row >= (FUSE_VOUCHED if is_user_confirmed(item) else FUSE_IN_A_ROW):
        why = f"rejected {feedback.corrected_in_a_row} times in a row"
    elif item.confidence < DOUBTFUL and feedback.corrected:
        why = f"rejected, and believed by {item.confidence:.2f} only"
    else:
        return None
    return UpkeepVerdict(
        UpkeepChange(memory_id=item.memory_id, version=item.version, change="fuse", status="retracted"),
        why,
    )
