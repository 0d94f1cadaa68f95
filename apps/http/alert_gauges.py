"""Gauges of each database as it is when somebody scrapes: its queue, and alerts over all its tenants; nobody's name."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf, nan

import structlog
from prometheus_client import Gauge

from apps.http.metrics import registry
from brain.cells import ask_each
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.service_alerts import ALERT_NAMES, SEVERITIES, AlertCount, QueueHealth

log = structlog.get_logger(__name__)

PATIENCE = 2.0
"""Seconds for the databases to count, all at once; a scrape waits for no more."""

alerts = Gauge(
    "brain_alerts",
    "Tenants that have the alert now; the installation counts as one.",
    ("cell", "indicator", "severity"),
    registry=registry,
)
looked = Gauge("brain_alerts_looked_seconds", "Seconds since a worker looked for alerts.", ("cell",), registry=registry)
reached = Gauge("brain_cell_reached", "Whether the database answers: 1, or 0.", ("cell",), registry=registry)
dead_letters = Gauge("brain_dead_letters", "Jobs that were given up.", ("cell",), registry=registry)
oldest_job = Gauge("brain_oldest_job_seconds", "The longest wait in the queue.", ("cell",), registry=registry)


async def refresh_alerts(cells: Mapping[str, MemoryCore]) -> None:
    """Count now. What cannot be counted is not told: an old number would say that all is well."""
    asked = await ask_each(cells, _count, PATIENCE)
    for gauge in (alerts, dead_letters, oldest_job):
        gauge.clear()
    for cell, answer in asked.items():
        reached.labels(cell).set(not isinstance(answer, BrainError))
        if isinstance(answer, BrainError):
            looked.labels(cell).set(nan)
            log.warning("alerts_not_counted", cell=cell, code=answer.code)
        else:
            _set(cell, *answer)


async def _count(memory: MemoryCore) -> tuple[Sequence[AlertCount], QueueHealth]:
    return await memory.service_alerts.count_active(), await memory.service_alerts.read_queue()


def _set(cell: str, found: Sequence[AlertCount], queue: QueueHealth) -> None:
    counted = {(each.name, each.severity): each.alerts for each in found}
    for name, severity in product(ALERT_NAMES, SEVERITIES):
        alerts.labels(cell, name, severity).set(counted.get((name, severity), 0))
    seconds = next((each.seconds for each in found if each.seconds is not None), None)
    looked.labels(cell).set(inf if seconds is None else seconds)
    dead_letters.labels(cell).set(queue.dead_letters)
    oldest_job.labels(cell).set(queue.oldest_seconds)
