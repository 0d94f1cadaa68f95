"""The fuse: what people keep rejecting leaves the prompts before it poisons what is learned next (S0 section 2.3)."""

from evolution.upkeep.verdict import DOUBTFUL, Verdict, is_vouched
from memory.upkeep import Living, Tending

FUSE_IN_A_ROW, FUSE_VOUCHED = 2, 3
"""Corrected uses in a row after which a memory leaves the prompts; one that the user vouched for has one more."""


def fused(living: Living) -> Verdict | None:
    """Take a memory that people keep rejecting out of the prompts. A constraint is lowered but never taken out."""
    item, feedback = living.item, living.feedback
    if item.memory_type == "constraint" or living.last_change == "restore":
        return None
    if feedback.corrected_in_a_row >= (FUSE_VOUCHED if is_vouched(item) else FUSE_IN_A_ROW):
        why = f"rejected {feedback.corrected_in_a_row} times in a row"
    elif item.confidence < DOUBTFUL and feedback.corrected:
        why = f"rejected, and believed by {item.confidence:.2f} only"
    else:
        return None
    return Verdict(
        Tending(memory_id=item.memory_id, version=item.version, change="fuse", status="retracted"),
        why,
    )
