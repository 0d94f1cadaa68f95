"""What does not answer is left alone for a while, so that a dead server costs its wait once and not in every turn."""

import math
import threading
from dataclasses import dataclass, field
from time import monotonic

TOLERATED = 2
"""Failures in a row after which the breaker still stays closed."""
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 60.0
"""Seconds; each failed trial doubles the pause."""


@dataclass
class CircuitBreaker:
    """Open after more than ``TOLERATED`` failures in a row, then one trial after each pause. Safe between threads."""

    _failures: int = 0
    _pause: float = FIRST_PAUSE
    _until: float = -math.inf
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def allow_request(self) -> bool:
        """Whether to ask now. After a pause one caller may, and the others wait for what becomes of it."""
        with self._lock:
            if monotonic() < self._until:
                return False
            if self._failures > TOLERATED:
                self._until = monotonic() + self._pause
            return True

    def record_success(self) -> None:
        """The server is there: everybody may ask."""
        with self._lock:
            self._failures, self._pause, self._until = 0, FIRST_PAUSE, -math.inf

    def record_failure(self) -> None:
        """The server did not answer."""
        with self._lock:
            self._failures += 1
            if self._failures > TOLERATED:
                self._until = monotonic() + self._pause
                self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def release_trial(self) -> None:
        """The caller gave up before anybody could have answered: the next one may try."""
        with self._lock:
            self._until = -math.inf
