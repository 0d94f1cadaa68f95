"""How variants differ, with intervals that know that a person's turns are alike.

People differ: somebody who often objects does so in whichever variant they are. So turns of one person are no separate
trials, and an interval that takes them for such is too narrow. The counts come in sixteen parts by person; how much the
parts differ, beyond what chance makes of separate turns, tells by how much (the method of random groups).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from brain.score_intervals import Interval, newcombe_interval, wilson_interval
from memory.experiments import Measure, VariantCounts

SHOWN = 0.95
"""The confidence of the intervals that are shown."""
_COUNTED: dict[Measure, tuple[str, str]] = {
    "negative": ("negative", "judged"),
    "corrections": ("corrections", "judged"),
    "utilization": ("utilized", "injected"),
}
"""What happened, out of what, by measure."""


@dataclass(frozen=True)
class Tally:
    """How often something happened among so many, in each part of the people that had any."""

    parts: tuple[tuple[int, int], ...]

    @property
    def hits(self) -> int:
        """How often it happened."""
        return sum(hits for hits, _ in self.parts)

    @property
    def trials(self) -> int:
        """Among how many."""
        return sum(trials for _, trials in self.parts)

    @property
    def rate(self) -> float:
        """The share; 0 of nothing."""
        return self.hits / self.trials if self.trials else 0.0

    @property
    def inflation(self) -> float:
        """How many times the variance is what separate trials would have; at least 1."""
        groups, chance = len(self.parts), self.rate * (1 - self.rate) * self.trials
        if groups < 2 or chance == 0:
            return 1.0
        spread = sum((hits - self.rate * trials) ** 2 for hits, trials in self.parts) * groups / (groups - 1)
        return max(1.0, spread / chance)


def tally(counts: Iterable[VariantCounts], measure: Measure) -> Tally:
    """The counts of one variant, for one measure."""
    hits, trials = _COUNTED[measure]
    found = ((getattr(each, hits), getattr(each, trials)) for each in counts)
    return Tally(tuple((happened, among) for happened, among in found if among))


def wilson(found: Tally, confidence: float = SHOWN) -> Interval:
    """Wilson's interval of a rate, on as many trials as the turns are worth."""
    return _wilson(found, found.inflation, _deviations(confidence, [found]))


def newcombe(one: Tally, other: Tally, confidence: float = SHOWN) -> Interval:
    """Newcombe's interval of the rate of ``one`` less that of ``other``, for the larger inflation of both."""
    inflation, deviations = max(one.inflation, other.inflation), _deviations(confidence, [one, other])
    first, second = _wilson(one, inflation, deviations), _wilson(other, inflation, deviations)
    return newcombe_interval((one.rate, first), (other.rate, second))


def _wilson(found: Tally, inflation: float, deviations: float) -> Interval:
    return wilson_interval(found.rate, found.trials / inflation, deviations)


def _deviations(confidence: float, tallies: Sequence[Tally]) -> float:
    """Standard deviations to either side: Student's t, since the inflation is estimated from few parts.

    By the expansion of Abramowitz and Stegun 26.7.5: within 2 % of the exact value from five parts on.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    freedom = max(1, min(len(each.parts) for each in tallies) - 1)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
