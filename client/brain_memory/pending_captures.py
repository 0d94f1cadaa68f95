"""Turns that the server has not taken yet. They live in this process and are sent again with the same key."""

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain_memory.connection import ApiCall

ROOM = 1_000
"""Turns that wait at most; then the oldest give way."""
TRIES = 5
"""So often a turn may fail right after another was taken; then it is the turn that fails, and it is given up."""


@dataclass(frozen=True)
class PendingCapture:
    """A turn, and how often it was sent right after another was taken."""

    call: ApiCall
    tries: int = 0

    def count_try(self) -> "PendingCapture":
        """The same, sent once more."""
        return replace(self, tries=self.tries + 1)


class PendingCaptures:
    """A queue, safe between threads."""

    def __init__(self) -> None:
        self._waiting: deque[PendingCapture] = deque()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, capture: PendingCapture) -> bool:
        """Keep a turn for later. False: there was no room, and the oldest is lost."""
        with self._lock:
            self._waiting.append(capture)
            is_full = len(self._waiting) > ROOM
            if is_full:
                self._waiting.popleft()
            return not is_full

    def take_each(self, most: int) -> Iterator[PendingCapture]:
        """Those that wait now, oldest first, each taken out of the queue as it comes."""
        for _ in range(min(most, len(self._waiting))):
            with self._lock:
                if not self._waiting:
                    return
                capture = self._waiting.popleft()
            yield capture

    def take_tries(self, most: int) -> Iterator[PendingCapture]:
        """Those that wait longest, for another try right after a turn was taken."""
        return (capture.count_try() for capture in self.take_each(most))
