"""Work of a database connection in a thread, which ends at once where nobody waits for it any more."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from psycopg import Connection

P = ParamSpec("P")
T = TypeVar("T")


async def run_in_thread(connection: Connection[Any], work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of blocking work with a connection; cancelling it cancels what the server does for it."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *arguments, **named))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        connection.cancel()
        with suppress(Exception):
            await running
        raise


async def run_all(works: Sequence[Coroutine[Any, Any, None]]) -> None:
    """All of them to their end, or none: the first failure ends the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
