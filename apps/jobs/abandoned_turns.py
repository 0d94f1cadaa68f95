"""Turns whose process died before their run ended: after some time, memory looks at their words all the same."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from brain.resources import Resources
from memory.errors import BrainError

log = structlog.get_logger(__name__)

PAUSE = 60.0
"""Seconds between two looks."""
_AGAIN = 0.5


@asynccontextmanager
async def sweep_regularly(resources: Resources) -> AsyncGenerator[None]:
    """Release abandoned turns now, and every minute from then on."""
    await sweep(resources)
    watching = asyncio.create_task(_sweep_forever(resources))
    try:
        yield
    finally:
        while not watching.done():  # a cancellation can be lost with what the task waits for
            watching.cancel()
            await asyncio.wait((watching,), timeout=_AGAIN)


async def sweep(resources: Resources) -> int:
    """Release what was accepted longer ago than runs take; how many were found, long ended ones included."""
    before = resources.clock() - timedelta(seconds=resources.settings.turn_patience)
    try:
        found = await resources.memory.log.release_abandoned(before)
    except BrainError as error:
        log.warning("sweep_failed", code=error.code)
        return 0
    log.debug("turns_swept", count=found)
    return found


async def _sweep_forever(resources: Resources) -> None:
    while True:
        await asyncio.sleep(PAUSE)
        await sweep(resources)
