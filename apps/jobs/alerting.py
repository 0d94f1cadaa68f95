"""Watches for alerts beside the queue, so that one that stands still is told of: a look a minute, by one worker."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from brain.background import run_beside
from brain.resources import Resources
from brain.service_alerts.watch import AlertWatch
from memory.errors import BrainError

log = structlog.get_logger(__name__)

PAUSE = 10.0
"""Seconds between two tries to be the one who looks: when that one dies, another looks within so many."""


@asynccontextmanager
async def watch_regularly(resources: Resources) -> AsyncGenerator[None]:
    """Look whenever nobody has for a minute. What goes wrong is logged and tried again: the other work goes on."""
    async with run_beside(_watch_forever(AlertWatch(resources))):
        yield


async def _watch_forever(watch: AlertWatch) -> None:
    while True:
        await asyncio.sleep(PAUSE)
        try:
            await watch.look()
        except BrainError as error:
            log.warning("alerts_not_watched", code=error.code)
        except Exception as error:  # whoever watches must not die of what nobody foresaw
            log.error("alerts_not_watched", error=type(error).__name__)
