"""Alerts of the tenant, and of the installation: what burns now, and what ended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from brain.cells import answers_of, ask_each
from memory.service_alerts import INSTALLATION, AlertName, ServiceAlert, ServiceAlerts, Severity

MAX_ALERTS = 200
"""Of the tenant, and as many of each database of the installation."""
PATIENCE = 3.0
"""Seconds after which a database that does not answer is left out: ``cell_away`` tells of it."""


class AlertsAsked(ApiRequest):
    """Those that are active."""

    ended: Annotated[bool, Field(description="Also those that ended, the last 200.")] = False


class AlertView(ApiAnswer):
    """An alert. It is active while ``ended_at`` is null; ``renewed_at``: when it was last found to go on.

    ``value`` of what burns is how many times as fast as allowed, of single cases, databases that are away and moves
    their number, of ``queue_age``, ``seal_age`` and ``backup_age`` seconds, of other figures the figure. ``samples``:
    how many events it rests on. ``cell``: which database an alert of the installation is about, ``home`` the first one.
    """

    id: UUID
    name: AlertName
    severity: Severity
    of: Literal["tenant", "installation"]
    cell: str | None
    value: float
    threshold: float
    samples: int
    began_at: datetime
    renewed_at: datetime
    ended_at: datetime | None


class AlertList(ApiAnswer):
    """Active ones first, then the newest."""

    alerts: list[AlertView]


@endpoint("GET /alerts", scope="ops", command="alerts list")
async def list_alerts(asked: AlertsAsked, call: ApiCall) -> AlertList:
    """List the alerts of the tenant and of the installation. They tell of nobody."""

    async def fetch(source: ServiceAlerts, tenant_id: UUID) -> Sequence[ServiceAlert]:
        return await (source.list_newest(tenant_id, MAX_ALERTS) if asked.ended else source.list_active(tenant_id))

    found = [_view(each) for each in await fetch(call.memory.service_alerts, call.scope.tenant_id)]
    duties = await ask_each(call.resources.cells, lambda cell: fetch(cell.service_alerts, INSTALLATION), PATIENCE)
    found += [_view(each, name) for name, those in answers_of(duties).items() for each in those]
    found.sort(key=lambda each: (each.ended_at is None, each.began_at), reverse=True)
    return AlertList(alerts=found)


def _view(alert: ServiceAlert, cell: str | None = None) -> AlertView:
    return AlertView(
        id=alert.alert_id,
        name=alert.name,
        severity=alert.severity,
        of="tenant" if cell is None else "installation",
        cell=cell,
        value=alert.value,
        threshold=alert.threshold,
        samples=alert.samples,
        began_at=alert.began_at,
        renewed_at=alert.renewed_at,
        ended_at=alert.ended_at,
    )
