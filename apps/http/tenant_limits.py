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
        self._per_minute, self._at_once, self._clock = per_minute, at_once, clock
        self._shares: OrderedDict[str, _Share] = OrderedDict()

    def count(self, tenant: str) -> None:
        """Count a request. Raises ``HttpRefusal`` 429 with the seconds after which to try again."""
        self._take_token(self._share_of(tenant))

    @contextmanager
    def admit(self, tenant: str) -> Generator[None]:
        """A place for one request that has arrived. Raises ``HttpRefusal`` 429 with the seconds to wait."""
        share = self._share_of(tenant)
        if share.running >= self._at_once:
            metrics.refused.labels("too_many").inc()
            raise _too_fast(f"More than {self._at_once} requests at once.", 1)
        share.running += 1
        try:
            yield
        finally:
            share.running -= 1

    def _share_of(self, tenant: str) -> _Share:
        share = self._shares.pop(tenant, None) or _Share(float(self._per_minute), self._clock())
        self._shares[tenant] = share
        if len(self._shares) > TENANTS:
            silent = next((name for name, each in self._shares.items() if not each.running), tenant)
            self._shares.pop(silent)
        return share

    def _take_token(self, share: _Share) -> None:
        if not self._per_minute:
            return
        now, rate = self._clock(), self._per_minute / 60
        share.tokens = min(float(self._per_minute), share.tokens + (now - share.filled_at) * rate)
        share.filled_at = now
        if share.tokens < 1:
            metrics.refused.labels("too_fast").inc()
            raise _too_fast(f"More than {self._per_minute} requests a minute.", ceil((1 - share.tokens) / rate))
        share.tokens -= 1


def _too_fast(why: str, seconds: int) -> HttpRefusal:
    return HttpRefusal(429, "E_TOO_MANY_REQUESTS", f"{why} Try again later.", {"Retry-After": str(seconds)})
