"""A person's living memories, page by page."""

from collections.abc import AsyncIterator
from uuid import UUID

from memory.scope import Scope
from memory.upkeep import ActiveMemory, Upkeep

PAGE = 500
_FIRST = UUID(int=0)


async def iterate_living(upkeep: Upkeep, scope: Scope) -> AsyncIterator[ActiveMemory]:
    """All of them in the order of their ids, one page in memory at a time."""
    after = _FIRST
    while page := await upkeep.list_active(scope, after, PAGE):
        for living in page:
            yield living
        after = page[-1].item.memory_id
