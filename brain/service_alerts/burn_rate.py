"""Multi-window burn rates (S0 section 2.3.2): how fast the share of events that may go wrong is being spent.

At a burn rate of 1 exactly what an objective allows goes wrong. An alert begins when both of its windows burn: the long
one says that it matters, the short one that it still goes on. It ends when the short one burns no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.service_alerts import Severity

MIN_SAMPLES = 30
"""With fewer events in a window a share can be anything: it is observed, and nobody is called."""
LEAST_BUDGET = 0.0001
"""What an objective of 100 % allows here; a single event would burn infinitely fast otherwise."""
_DECIMALS = 9
"""Of a burn rate, so that 72 bad of 100 burn a budget of 0.05 at 14.4, not at a hair below."""


@dataclass(frozen=True, kw_only=True)
class BurnRule:
    """``rate``: from how many times as fast as allowed both windows alert."""

    severity: Severity
    long: timedelta
    short: timedelta
    rate: float


FAST = BurnRule(severity="urgent", long=timedelta(hours=1), short=timedelta(minutes=5), rate=14.4)
SLOW = BurnRule(severity="ticket", long=timedelta(hours=6), short=timedelta(minutes=30), rate=6.0)
RULES: Sequence[BurnRule] = (FAST, SLOW)


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Good and bad events of one window."""

    good: int = 0
    bad: int = 0

    @property
    def samples(self) -> int:
        """How many there were."""
        return self.good + self.bad

    def burn_rate(self, budget: float) -> float:
        """How many times as fast as allowed ``budget``, a share from 0 to 1, is spent; 0 where nothing happened."""
        if not self.samples:
            return 0.0
        return round(self.bad / self.samples / max(budget, LEAST_BUDGET), _DECIMALS)


Tallies = Mapping[timedelta, Tally]
"""By the length of the window, which ends now."""


def should_alert(rule: BurnRule, budget: float, tallies: Tallies, *, is_active: bool) -> bool:
    """Whether an alert begins, or goes on where it ``is_active``. Too few events begin none."""
    if tallies[rule.short].burn_rate(budget) < rule.rate:
        return False
    return is_active or (
        all(tallies[length].samples >= MIN_SAMPLES for length in (rule.short, rule.long))
        and tallies[rule.long].burn_rate(budget) >= rule.rate
    )


def may_alert(rule: BurnRule, budget: float, short: Tally) -> bool:
    """Whether the long window has to be counted at all: nothing begins or goes on unless the short one burns."""
    return short.burn_rate(budget) >= rule.rate
