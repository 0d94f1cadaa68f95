"""Let go of what forgotten turns carried, once forgetting cannot be taken back any more."""

from datetime import timedelta

from brain.job_context import JobContext
from memory.memory_item import UNDO_HOURS


async def drop_forgotten_media(context: JobContext) -> int:
    """Of how many turns it was a part."""
    before = context.resources.clock() - timedelta(hours=UNDO_HOURS)
    return await context.resources.memory.media.drop_forgotten(context.scope, before)
