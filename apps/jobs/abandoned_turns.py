"""Turns whose process died before their run ended: after some time, memory looks at their words all the same."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from brain.background import run_beside
from brain.resources import Resources
from memory.errors import BrainError

log = structlog.get_logger(__name__)

PAUSE = 60.0
"""Seconds between two looks."""


@asynccontextmanager
async def sweep_regularly(resources: Resources) -> AsyncGenerator[None]:
    """Release abandoned turns now, and every minute from then on."""
    await _try_to_sweep(resources)
    async with run_beside(_sweep_forever(resources)):
        yield


async def sweep(resources: Resources) -> int:
    """Release what was accepted longer ago than runs take; how many were found, long ended ones included."""
    before = resources.clock() - timedelta(seconds=resources.settings.turn_patience)
    found = await resources.memory.log.release_abandoned(before)
    log.debug("turns_swept", count=found)
    return found


async def _try_to_sweep(resources: Resources) -> None:
    try:
        await sweep(resources)
    except BrainError as error:
        log.warning("sweep_failed", code=error.code)


async def _sweep_forever(resources: Resources) -> None:
    while True:
        await asyncio.sleep(PAUSE)
        await _try_to_sweep(resources)
