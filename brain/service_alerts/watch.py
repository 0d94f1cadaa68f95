"""Look at every tenant that has something to watch, and begin, renew and end alerts by what is found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from brain.levels.bounds import read_bounds
from brain.levels.report import LevelReporter
from brain.resources import Resources
from brain.service_alerts.burn_rate import FAST, RULES, SLOW
from brain.service_alerts.readings import (
    Active,
    Judged,
    find_long_windows,
    judge_burning,
    judge_cells,
    judge_duties,
    judge_levels,
    judge_zero_tolerance,
)
from memory.errors import BrainError
from memory.levels import Window
from memory.refusals import tenant_scope
from memory.scope import Scope
from memory.service_alerts import INSTALLATION, AlertChange, EventCounts, ServiceAlert

log = structlog.get_logger(__name__)

BURN_SECONDS = 60.0
"""Between two looks at what burns."""
LEVELS_SECONDS = 3_600.0
"""Between two looks at the figures over days."""
CLAIM_SLACK = 0.9
"""A look counts as due when so much of its pause has passed: clocks of processes tick apart."""
CASES = timedelta(hours=1)
"""How far back single cases are looked for, of which there may be none."""
_SHORT: Sequence[timedelta] = tuple(rule.short for rule in RULES)
SECONDS_PER_HOUR = 3_600.0


@dataclass(frozen=True)
class AlertWatch:
    """One process's look. Several may look at once: an alert begins and ends once all the same."""

    resources: Resources

    async def look(self) -> list[AlertChange]:
        """Look at what burns and at what has not been looked at for an hour, unless another process just has."""
        alerts, changes = self.resources.memory.service_alerts, list[AlertChange]()
        if await alerts.claim("burn", BURN_SECONDS * CLAIM_SLACK):
            changes += await self.look_at_burning()
        if await alerts.claim("levels", LEVELS_SECONDS * CLAIM_SLACK):
            changes += await self.look_at_levels()
        return changes

    async def look_at_burning(self) -> list[AlertChange]:
        """The installation, and the tenants that did something within the longest window or have alerts."""
        at, memory = self.resources.clock(), self.resources.memory
        known = {*await memory.levels.tenants(at - SLOW.long), *await memory.service_alerts.tenants()}
        changes = await self._judge_installation(at)
        for tenant_id in sorted(known - {INSTALLATION}):
            changes += await self._judge_tenant(tenant_id, at)
        return changes

    async def look_at_levels(self) -> list[AlertChange]:
        """The governor's: the figures over days of the tenants that did something within a day or have alerts."""
        at, memory = self.resources.clock(), self.resources.memory
        known = {*await memory.levels.tenants(at - timedelta(days=1)), *await memory.service_alerts.tenants()}
        reporter = LevelReporter(memory.levels, self.resources.settings.level_thresholds)
        changes: list[AlertChange] = []
        for tenant_id in sorted(known - {INSTALLATION}):
            try:
                report = await reporter.measure(tenant_id, at)
                active = await memory.service_alerts.list_active(tenant_id)
                changes += await self._apply(tenant_id, judge_levels(report.figures, _keys(active)), active, at)
            except BrainError as error:
                log.warning("levels_not_watched", tenant_id=str(tenant_id), code=error.code)
        return changes

    async def look_at_cells(self, cells: int, away: int, unfinished: int) -> list[AlertChange]:
        """What whoever looked at all databases found, unless another process told the same just now."""
        alerts = self.resources.memory.service_alerts
        if not await alerts.claim("cells", BURN_SECONDS * CLAIM_SLACK):
            return []
        active = await alerts.list_active(INSTALLATION)
        return await self._apply(INSTALLATION, judge_cells(cells, away, unfinished), active, self.resources.clock())

    async def _judge_installation(self, at: datetime) -> list[AlertChange]:
        alerts, settings = self.resources.memory.service_alerts, self.resources.settings
        found, active = await alerts.read_duties(), await alerts.list_active(INSTALLATION)
        judged = judge_duties(found, settings.alert_backup_hours * SECONDS_PER_HOUR, _keys(active))
        return await self._apply(INSTALLATION, judged, active, at)

    async def _judge_tenant(self, tenant_id: UUID, at: datetime) -> list[AlertChange]:
        """What cannot be read of one tenant keeps nobody from the next."""
        try:
            active = await self.resources.memory.service_alerts.list_active(tenant_id)
            judged = await self._judge_events(tenant_id, at, _keys(active))
            return await self._apply(tenant_id, judged, active, at)
        except BrainError as error:
            log.warning("alerts_not_watched", tenant_id=str(tenant_id), code=error.code)
            return []

    async def _judge_events(self, tenant_id: UUID, at: datetime, active: Active) -> list[Judged]:
        memory = self.resources.memory
        bounds = await read_bounds(memory.levels, tenant_id, self.resources.settings.level_thresholds)
        slow_ms = bounds["retrieval_latency_p95"].pass_at

        async def count(lengths: Iterable[timedelta]) -> dict[timedelta, EventCounts]:
            windows = {length: Window.before(at, length) for length in lengths}
            found = await memory.service_alerts.count_events(tenant_id, list(windows.values()), slow_ms=slow_ms)
            return {length: found[window] for length, window in windows.items()}

        counts = await count(_SHORT)
        if long := find_long_windows(counts, bounds):
            counts |= await count(long)
        audited = await memory.service_alerts.count_audited(tenant_id, Window.before(at, CASES))
        refused = await memory.refusals.count(
            tenant_scope(Scope(tenant_id=tenant_id, user_id=INSTALLATION)), at - CASES
        )
        return [
            *judge_burning(counts, bounds, active),
            *judge_zero_tolerance(counts[FAST.short], audited, refused),
        ]

    async def _apply(
        self, tenant_id: UUID, judged: Iterable[Judged], active: Sequence[ServiceAlert], at: datetime
    ) -> list[AlertChange]:
        """Begin and renew what is one, end what is none any more; each change is logged by who made it."""
        alerts, tell = self.resources.memory.service_alerts, self.resources.settings.alert_webhook is not None
        by_key = {(each.name, each.severity): each for each in active}
        changes: list[AlertChange] = []
        for each in judged:
            if each.is_alert:
                begun = await alerts.begin(tenant_id, self.resources.new_id(), each.reading, at, tell=tell)
                changes += [AlertChange(alert=begun, state="began")] if begun else []
            elif standing := by_key.get(each.key):
                ended = await alerts.end(standing, at, tell=tell)
                changes += [AlertChange(alert=ended, state="ended")] if ended else []
        for change in changes:
            _log_change(change)
        return changes


def _keys(active: Sequence[ServiceAlert]) -> Active:
    return frozenset((each.name, each.severity) for each in active)


def _log_change(change: AlertChange) -> None:
    alert = change.alert
    told = {
        "name": alert.name,
        "severity": alert.severity,
        "tenant_id": str(alert.tenant_id),
        "alert_id": str(alert.alert_id),
        "value": round(alert.value, 4),
        "threshold": alert.threshold,
        "samples": alert.samples,
    }
    if change.state == "ended":
        log.warning("alert_ended", **told)
    elif alert.severity == "urgent":
        log.error("alert_began", **told)
    else:
        log.warning("alert_began", **told)
