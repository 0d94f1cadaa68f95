"""Gauges of service levels over all tenants of a database: nobody's name, and at most one count a minute."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta

import structlog
from prometheus_client import Gauge

from apps.http.metrics import registry
from brain.cells import ask_each
from brain.levels.bounds import apply_thresholds, parse_thresholds
from brain.resources import Resources
from memory.errors import BrainError
from memory.levels import LATENCY_WINDOW, ServiceLevels, Window

log = structlog.get_logger(__name__)

EVERY = timedelta(minutes=1)
MAX_TENANTS = 100
"""With more tenants of a database that were active within the hour a scrape would wait for long: none is counted."""

events = Gauge(
    "brain_level_events", "Events of service levels in the last hour.", ("cell", "indicator", "kind"), registry=registry
)


class LevelGauges:
    """Counts behind the answer when the last count is old enough: who scrapes never waits for the database."""

    def __init__(self) -> None:
        self._due: datetime | None = None
        self._counted: dict[str, Counter[tuple[str, str]]] = {}
        self.counting: asyncio.Task[None] | None = None

    def refresh(self, resources: Resources) -> None:
        """Have the gauges brought up to date for whoever scrapes next."""
        at = resources.clock()
        if self._due is None or at >= self._due:
            self._due = at + EVERY
            self.counting = asyncio.create_task(self._refresh(resources, Window.before(at, LATENCY_WINDOW)))

    async def _refresh(self, resources: Resources, window: Window) -> None:
        bounds = apply_thresholds(parse_thresholds(resources.settings.level_thresholds))
        slow_ms = bounds["retrieval_latency_p95"].pass_at
        asked = await ask_each(resources.cells, lambda memory: _count(memory.levels, window, slow_ms))
        for cell, answer in asked.items():
            if isinstance(answer, BrainError):  # its gauges stay as they are
                log.warning("levels_not_counted", cell=cell, error=answer.code)
            else:
                self._counted[cell] = answer
        events.clear()
        for cell, counted in self._counted.items():
            for labels, count in counted.items():
                events.labels(cell, *labels).set(count)


async def _count(levels: ServiceLevels, window: Window, slow_ms: float) -> Counter[tuple[str, str]]:
    found, tenants = Counter[tuple[str, str]](), await levels.tenants(window.since)
    if len(tenants) > MAX_TENANTS:
        log.warning("levels_not_counted", tenants=len(tenants))
        return found
    for tenant_id in tenants:
        for each in await levels.events(tenant_id, window, slow_ms=slow_ms):
            found.update({(each.indicator, "good"): each.good, (each.indicator, "bad"): each.bad})
    return found


level_gauges = LevelGauges()
