"""Models that compute in this process, on threads of their own, because they would block the event loop."""

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from threading import Lock
from typing import Generic, TypeVar

from memory.errors import unavailable

Loaded = TypeVar("Loaded")
Answer = TypeVar("Answer")

_FAILURES = (ArithmeticError, AttributeError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What the libraries raise for an unknown model, no network, damaged weights or memory that ran out."""


class LocalModel(Generic[Loaded]):
    """Loaded at first use, once; used by one thread at a time."""

    def __init__(self, name: str, load: Callable[[], Loaded]) -> None:
        self._name, self._load = name, load
        self._loaded: Loaded | None = None
        self._lock = Lock()

    async def use(self, work: Callable[[Loaded], Answer]) -> Answer:
        """What ``work`` makes of the loaded model. Raises ``E_DEP_UNAVAILABLE``."""
        return await asyncio.to_thread(self._use_locked_model, work)

    def _use_locked_model(self, work: Callable[[Loaded], Answer]) -> Answer:
        with self._lock:
            loaded = self._ensure_loaded()
            try:
                return work(loaded)
            except _FAILURES as error:
                raise unavailable(f"The model {self._name!r} failed: {error}"[:300]) from error

    def _ensure_loaded(self) -> Loaded:
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except _FAILURES as error:
                raise unavailable(f"The model {self._name!r} cannot be loaded.", "Check its name.") from error
        return self._loaded


def require_package(package: str) -> None:
    """Installed, that is: importing it takes seconds, and many commands never use the model.

    Raises ``ModuleNotFoundError``.
    """
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"There is no {package}.", name=package)
