"""The worker inside a server does not stay dead: a database that was away for a moment must not end all remembering."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import structlog

log = structlog.get_logger(__name__)

LOOK = 0.5
"""Seconds between two looks at the worker."""
REST = 2.0
"""Seconds before a dead worker's successor begins."""


class Worker(Protocol):
    """Works in the background from ``start`` to ``stop``; ``failure`` says why it died before."""

    failure: BaseException | None

    @property
    def alive(self) -> bool: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class AttendedWorker:
    """One worker at a time, each the successor of one that died."""

    def __init__(self, hire: Callable[[], Worker], look: float = LOOK, rest: float = REST) -> None:
        self._hire, self._look, self._rest = hire, look, rest
        self._worker: Worker | None = None

    @property
    def alive(self) -> bool:
        """Whether somebody works at this moment."""
        return self._worker is not None and self._worker.alive

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Somebody works as long as the context lasts; the jobs at hand are finished when it ends."""
        attending = asyncio.create_task(self._attend())
        try:
            yield
        finally:
            attending.cancel()
            with suppress(asyncio.CancelledError):
                await attending
            if self._worker is not None:
                await asyncio.to_thread(self._worker.stop)

    async def _attend(self) -> None:
        while True:
            worker = self._worker = self._hire()
            worker.start()
            while worker.alive:  # noqa: ASYNC110 - it lives on a thread of its own
                await asyncio.sleep(self._look)
            log.warning("worker_died", why=str(worker.failure or "unknown"), next_in_seconds=self._rest)
            await asyncio.sleep(self._rest)
