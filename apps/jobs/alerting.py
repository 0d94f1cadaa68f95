"""Watches for alerts beside the queue, so that one that stands still is told of: a look a minute, by one worker."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from brain.resources import Resources
from brain.service_alerts.watch import AlertWatch
from memory.errors import BrainError

log = structlog.get_logger(__name__)

PAUSE = 10.0
"""Seconds between two tries to be the one who looks: when that one dies, another looks within so many."""
_AGAIN = 0.5


@asynccontextmanager
async def watch_regularly(resources: Resources) -> AsyncGenerator[None]:
    """Look whenever nobody has for a minute. What goes wrong is logged and tried again: the other work goes on."""
    watching = asyncio.create_task(_watch_forever(AlertWatch(resources)))
    try:
        yield
    finally:
        while not watching.done():  # a cancellation can be lost with what the task waits for
            watching.cancel()
            await asyncio.wait((watching,), timeout=_AGAIN)


async def _watch_forever(watch: AlertWatch) -> None:
    while True:
        await asyncio.sleep(PAUSE)
        try:
            await watch.look()
        except BrainError as error:
            log.warning("alerts_not_watched", code=error.code)
        except Exception as error:  # whoever watches must not die of what nobody foresaw
            log.error("alerts_not_watched", error=type(error).__name__)
