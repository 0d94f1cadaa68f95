"""``python -m tests.integration.killed_mover TENANT TO STEP NAME=ADDRESS…``: a mover that is killed at a step."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from uuid import UUID

from apps.cells.move import open_move


async def move_until_killed(tenant_id: UUID, to: str, step: str, urls: Mapping[str, str]) -> None:
    """Move the tenant until the step begins."""

    def die(begun: str) -> None:
        if begun == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async with open_move(tenant_id, urls, die) as move:
        await move.run(to)


if __name__ == "__main__":
    _, tenant, goal, last, *told = sys.argv
    asyncio.run(move_until_killed(UUID(tenant), goal, last, dict(each.split("=", 1) for each in told)))
