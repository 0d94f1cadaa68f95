"""Work that goes on beside other work of an event loop, and ends with it."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager

import structlog

log = structlog.get_logger(__name__)

_AGAIN = 0.5
"""Seconds after which a task that lives on is cancelled again."""


@asynccontextmanager
async def run_beside(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run something endless until the block ends. What it raised by itself is logged: the block goes on without it.

    It is cancelled until it is done. Once is not enough: a cancellation that comes at the moment at which what the task
    waits for comes too, such as the connection that a pool makes anew after an outage, is lost with it.
    """
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        while not task.done():
            task.cancel()
            await asyncio.wait((task,), timeout=_AGAIN)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("background_work_ended", work=work.__qualname__, error=type(error).__name__)
