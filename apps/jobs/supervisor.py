"""Restarts the worker inside a chat or a server: a database that was away must not end all remembering."""

import threading
from collections.abc import Callable
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
    def is_alive(self) -> bool: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class WorkerSupervisor:
    """One worker at a time, each the successor of one that died.

    It is watched from a thread: the event loop of a terminal stands still while nobody speaks.
    """

    def __init__(self, hire: Callable[[], Worker], look: float = LOOK, rest: float = REST) -> None:
        self._hire, self._look, self._rest = hire, look, rest
        self._worker: Worker | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._supervise, name="brain-worker-watch", daemon=True)

    @property
    def is_alive(self) -> bool:
        """Whether somebody works at this moment."""
        return self._worker is not None and self._worker.is_alive

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Let the worker finish the jobs at hand; nobody succeeds it. Blocks until then."""
        self._over.set()
        if self._thread.ident is None:
            return
        self._thread.join()
        if self._worker is not None:
            self._worker.stop()

    def _supervise(self) -> None:
        told = ""
        while not self._over.is_set():
            worker = self._worker = self._hire()
            worker.start()
            while worker.is_alive:
                if self._over.wait(self._look):
                    return
            why = str(worker.failure or "unknown")
            if why != told:  # a successor that dies of the same needs no second line in somebody's chat
                log.warning("worker_died", why=why, next_in_seconds=self._rest)
            told = why
            self._over.wait(self._rest)
