"""Checkpoints are in the order of the times in their ids, which LangGraph keeps from going back within a process."""

from contextlib import suppress

from langgraph.checkpoint.base import id as checkpoint_ids

_WITH_TIME, _DAY = 6, 86_400 * 10_000_000
"""The version of ids that tell the time, and a day in their unit."""


def follow_checkpoint(checkpoint_id: str) -> None:
    """Make new ids greater than this one, which is newer than now where a clock was set back, by less than a day."""
    with suppress(ValueError):  # an id that somebody chose tells no time
        made = checkpoint_ids.UUID(checkpoint_id)
        if made.version == _WITH_TIME and 0 < made.time - checkpoint_ids.uuid6().time < _DAY:
            checkpoint_ids._last_v6_timestamp = made.time  # pyright: ignore[reportPrivateUsage]
