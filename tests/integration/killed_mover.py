"""A mover that is killed or stopped, as a program: ``TENANT TO STEP SIGNAL NAME=ADDRESS…``."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from uuid import UUID

from apps.cells.move import open_move


async def move_until(tenant_id: UUID, to: str, step: str, sent: signal.Signals, urls: Mapping[str, str]) -> None:
    """Move the tenant until the step begins; one that was stopped goes on when it is let."""

    def die(begun: str) -> None:
        if begun == step:
            os.kill(os.getpid(), sent)

    async with open_move(tenant_id, urls, die) as move:
        await move.run(to)


def main() -> None:
    """Do as the command line says."""
    _, tenant, goal, last, number, *told = sys.argv
    urls = dict(each.split("=", 1) for each in told)
    asyncio.run(move_until(UUID(tenant), goal, last, signal.Signals(int(number)), urls))
