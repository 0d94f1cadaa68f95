"""Score intervals of shares: Wilson's of one, and Newcombe's of the difference of two."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Interval:
    """Between which two values something is."""

    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Whether the value is outside."""
        return not self.low <= value <= self.high


def wilson_interval(rate: float, trials: float, deviations: float) -> Interval:
    """Where the true share is, so many standard deviations to either side of the one that was seen."""
    if not trials:
        return Interval(0.0, 1.0)
    square = deviations**2
    centre = (rate + square / (2 * trials)) / (1 + square / trials)
    half = deviations * sqrt(rate * (1 - rate) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def newcombe_interval(one: tuple[float, Interval], other: tuple[float, Interval]) -> Interval:
    """Of the first share less the second, each with its own interval."""
    (rate, around), (other_rate, around_other) = one, other
    difference = rate - other_rate
    below = sqrt((rate - around.low) ** 2 + (around_other.high - other_rate) ** 2)
    above = sqrt((around.high - rate) ** 2 + (other_rate - around_other.low) ** 2)
    return Interval(max(-1.0, difference - below), min(1.0, difference + above))
