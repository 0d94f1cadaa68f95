"""One process at a time, by a lock that the kernel releases even when its holder is killed."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from memory.errors import timeout_error

_POLL = 0.05


@contextmanager
def hold_lock(path: Path, wait: float) -> Generator[None]:
    """Hold the lock of this file, waiting at most ``wait`` seconds for it. Raises ``E_DEP_TIMEOUT``."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(descriptor, path, wait)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise timeout_error(
                    f"Another process has held {path} for over {wait:.0f} seconds.",
                    "Wait for it, or end it if it hangs, and try again.",
                ) from None
            time.sleep(_POLL)
