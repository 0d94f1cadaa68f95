"""A circuit breaker: a service that keeps failing is not asked for a while, so that its timeout is paid only once."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

FIRST_PAUSE_SECONDS = 15.0
MAX_PAUSE_SECONDS = 240.0
"""Seconds; each failed trial doubles the pause."""


@dataclass
class CircuitBreaker:
    """A circuit breaker: open after more than ``tolerates`` failures in a row, then one trial after each pause.

    ``clock`` counts seconds and never goes back.
    """

    tolerates: int = 0
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    _failures: int = 0
    _pauses: int = 0
    _until: float = -math.inf

    def allow_request(self) -> bool:
        """Whether to ask now. After a pause one caller may try, and the others are refused until it was answered."""
        if self._is_open():
            return False
        if self._pauses:
            self._open()
        return True

    def record_success(self) -> None:
        """Somebody is there: everybody may ask."""
        self._failures, self._pauses, self._until = 0, 0, -math.inf

    def record_failure(self) -> None:
        """Nobody answered. What was under way when the breaker opened counts as the same failure."""
        self._failures += 1
        if self._failures > self.tolerates and not self._is_open():
            self._open()

    @property
    def is_on_trial(self) -> bool:
        """Whether the last one who was allowed to ask is to find out for the others."""
        return self._pauses > 0

    def release_trial(self) -> None:
        """The trial was given up before anybody could have answered: the next caller may try."""
        self._pauses, self._until = max(self._pauses - 1, 1), -math.inf

    def _is_open(self) -> bool:
        return self.clock() < self._until

    def _open(self) -> None:
        self._until = self.clock() + min(FIRST_PAUSE_SECONDS * 2**self._pauses, MAX_PAUSE_SECONDS)
        self._pauses += 1
