"""How often and how many at once: each tenant has its own share, so that none can take the others' away."""

from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from time import monotonic

from apps.http import metrics
from apps.http.errors import HttpRefusal

TENANTS = 10_000
"""Tenants whose limits are remembered; the one that has been silent longest begins anew."""


@dataclass
class _Share:
    tokens: float
    filled_at: float
    running: int = 0


class TenantLimits:
    """A bucket of requests that fills evenly over a minute, and a number of places. Of this process alone."""

    def __init__(self, per_minute: int, at_once: int, clock: Callable[[], float] = monotonic) -> None:
        self.per_minute, self.at_once, self._clock = per_minute, at_once, clock
        self._shares: OrderedDict[str, _Share] = OrderedDict()

    def count(self, tenant: str) -> None:
        """Count a request. Raises ``HttpRefusal`` 429 with the seconds after which to try again."""
        if not self.per_minute:
            return
        share, rate = self._fill(tenant), self.per_minute / 60
        if share.tokens < 1:
            metrics.refused.labels("too_fast").inc()
            raise too_fast(self.per_minute, ceil((1 - share.tokens) / rate))
        share.tokens -= 1

    @contextmanager
    def admit(self, tenant: str) -> Generator[None]:
        """A place for one request that has arrived. Raises ``HttpRefusal`` 429 with the seconds to wait."""
        share = self._share_of(tenant)
        if share.running >= self.at_once:
            metrics.refused.labels("too_many").inc()
            raise too_many(self.at_once)
        share.running += 1
        try:
            yield
        finally:
            share.running -= 1

    def running(self, tenant: str) -> int:
        """The places in use."""
        share = self._shares.get(tenant)
        return share.running if share else 0

    def tokens(self, tenant: str) -> float:
        """How many requests are left now."""
        return self._fill(tenant).tokens

    def active(self) -> list[str]:
        """The tenants that have a place, or asked for something within the last minute."""
        return [name for name, each in self._shares.items() if each.running or each.tokens < self.per_minute]

    def divide(self, parts: int) -> "TenantLimits":
        """The even part of one of so many processes, counted anew."""
        return TenantLimits(ceil(self.per_minute / parts), max(1, self.at_once // parts), self._clock)

    def _fill(self, tenant: str) -> _Share:
        share, now = self._share_of(tenant), self._clock()
        gained = (now - share.filled_at) * self.per_minute / 60
        share.tokens, share.filled_at = min(float(self.per_minute), share.tokens + gained), now
        return share

    def _share_of(self, tenant: str) -> _Share:
        share = self._shares.pop(tenant, None) or _Share(float(self.per_minute), self._clock())
        self._shares[tenant] = share
        if len(self._shares) > TENANTS:
            silent = next((name for name, each in self._shares.items() if not each.running), tenant)
            self._shares.pop(silent)
        return share


def too_fast(per_minute: int, seconds: int) -> HttpRefusal:
    """The refusal of a request that came too soon."""
    return _refusal(f"More than {per_minute} requests a minute.", seconds)


def too_many(at_once: int) -> HttpRefusal:
    """The refusal of a request beside too many others."""
    return _refusal(f"More than {at_once} requests at once.", 1)


def _refusal(why: str, seconds: int) -> HttpRefusal:
    return HttpRefusal(429, "E_TOO_MANY_REQUESTS", f"{why} Try again later.", {"Retry-After": str(seconds)})
