"""Gauges of service levels over all tenants together: nobody's name, and at most one count a minute."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta

import structlog
from prometheus_client import Gauge

from apps.http.metrics import registry
from brain.levels.bounds import apply_thresholds, parse_thresholds
from brain.resources import Resources
from memory.errors import BrainError
from memory.levels import LATENCY_WINDOW, Window

log = structlog.get_logger(__name__)

EVERY = timedelta(minutes=1)
MAX_TENANTS = 100
"""Beyond so many tenants that were active within the hour a scrape would wait for too long; nothing is counted then."""

events = Gauge(
    "brain_level_events", "Events of service levels in the last hour.", ("indicator", "kind"), registry=registry
)


class LevelGauges:
    """Counts behind the answer when the last count is old enough: who scrapes never waits for the database."""

    def __init__(self) -> None:
        self._due: datetime | None = None
        self.counting: asyncio.Task[None] | None = None

    def refresh(self, resources: Resources) -> None:
        """Have the gauges brought up to date for whoever scrapes next."""
        at = resources.clock()
        if self._due is None or at >= self._due:
            self._due = at + EVERY
            self.counting = asyncio.create_task(self._refresh(resources, Window.before(at, LATENCY_WINDOW)))

    async def _refresh(self, resources: Resources, window: Window) -> None:
        try:
            await self._count(resources, window)
        except BrainError as error:  # the gauges stay as they are
            log.warning("levels_not_counted", error=error.code)

    async def _count(self, resources: Resources, window: Window) -> None:
        levels = resources.memory.levels
        bounds = apply_thresholds(parse_thresholds(resources.settings.level_thresholds))
        slow_ms = bounds["retrieval_latency_p95"].pass_at
        tenants = await levels.tenants(window.since)
        events.clear()
        if len(tenants) > MAX_TENANTS:
            log.warning("levels_not_counted", tenants=len(tenants))
            return
        found: Counter[tuple[str, str]] = Counter()
        for tenant_id in tenants:
            for each in await levels.events(tenant_id, window, slow_ms=slow_ms):
                found.update({(each.indicator, "good"): each.good, (each.indicator, "bad"): each.bad})
        for labels, count in found.items():
            events.labels(*labels).set(count)


level_gauges = LevelGauges()
