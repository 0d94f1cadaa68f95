"""Turns in flight: each runs by itself, so that neither a client that goes nor a server that ends loses one."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

log = structlog.get_logger(__name__)

T = TypeVar("T")


class RunningTurns:
    """The tasks of turns, kept until each has ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, turn: Coroutine[Any, Any, T], name: str | None = None) -> asyncio.Task[T]:
        """Run a turn; returns at once."""
        task = asyncio.create_task(turn, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._drop)
        return task

    def find(self, name: str) -> asyncio.Task[Any] | None:
        """The turn of that name, while it runs."""
        return next((task for task in self._tasks if task.get_name() == name), None)

    async def drain(self, seconds: float) -> None:
        """Wait until every turn has ended; those that take longer are cut off, and what they have shown is kept."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            log.warning("turns_cut_off", count=len(self._tasks))
            await asyncio.wait(self._tasks, timeout=seconds)

    def _drop(self, task: asyncio.Task[Any]) -> None:
        """A turn that failed after its client had gone has nobody to tell."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()
