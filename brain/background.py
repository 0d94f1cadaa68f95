"""Work that goes on beside other work of an event loop, and ends with it."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

import structlog

log = structlog.get_logger(__name__)

_AGAIN = 0.5
"""Seconds after which a task that lives on is cancelled again."""


async def cancel_until_done(tasks: Iterable[asyncio.Task[Any]], again: float = _AGAIN) -> None:
    """Cancel tasks until they are done; those that live on every ``again`` seconds.

    Once is not enough: a cancellation that comes at the moment at which what a task waits for comes too, such as the
    connection that a pool makes anew after an outage, is lost with it. Who is cancelled while waiting for them leaves
    none of them running either.
    """
    left, cancelled = {each for each in tasks if not each.done()}, False
    while left:
        for each in left:
            each.cancel()
        try:
            _, left = await asyncio.wait(left, timeout=again)
        except asyncio.CancelledError:
            left, cancelled = {each for each in left if not each.done()}, True
    if cancelled:
        raise asyncio.CancelledError


@asynccontextmanager
async def run_beside(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run something endless until the block ends. What it raised by itself is logged: the block goes on without it."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        await cancel_until_done([task])
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("background_work_ended", work=work.__qualname__, error=type(error).__name__)
