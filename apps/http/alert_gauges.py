"""Gauges of alerts over all tenants, as they are when somebody scrapes: nobody's name."""

import asyncio
from itertools import product
from math import inf, nan

import structlog
from prometheus_client import Gauge

from apps.http.metrics import registry
from memory.errors import BrainError
from memory.service_alerts import ALERT_NAMES, SEVERITIES, ServiceAlerts

log = structlog.get_logger(__name__)

PATIENCE = 2.0
"""Seconds for the database to count; a scrape waits for no more."""

alerts = Gauge(
    "brain_alerts",
    "Tenants that have the alert now; the installation counts as one.",
    ("indicator", "severity"),
    registry=registry,
)
looked = Gauge("brain_alerts_looked_seconds", "Seconds since a worker looked for alerts.", registry=registry)


async def refresh_alerts(source: ServiceAlerts) -> None:
    """Count now. What cannot be counted is not told: an old number would say that all is well."""
    try:
        async with asyncio.timeout(PATIENCE):
            found = await source.count_active()
    except (BrainError, TimeoutError) as error:
        alerts.clear()
        looked.set(nan)
        log.warning("alerts_not_counted", error=type(error).__name__)
        return
    counted = {(each.name, each.severity): each.alerts for each in found}
    for key in product(ALERT_NAMES, SEVERITIES):
        alerts.labels(*key).set(counted.get(key, 0))
    seconds = next((each.seconds for each in found if each.seconds is not None), None)
    looked.set(inf if seconds is None else seconds)
