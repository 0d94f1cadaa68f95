"""Tell the webhook that an alert began or ended: a job of the queue, tried again until the receiver has it."""

from typing import Literal
from uuid import UUID

import structlog

from brain.resources import Resources
from brain.webhook import WebhookEvent, call_webhook
from memory.service_alerts import INSTALLATION, ServiceAlert

log = structlog.get_logger(__name__)

State = Literal["began", "ended"]


async def tell_alert(resources: Resources, tenant_id: UUID, alert_id: UUID, state: State) -> None:
    """Tell it as it stands now. Raises ``E_DEP_UNAVAILABLE`` while the receiver does not take it."""
    settings = resources.settings
    if settings.alert_webhook is None:
        return
    alert = await resources.memory.service_alerts.find(tenant_id, alert_id)
    if alert is None:
        log.info("alert_gone", alert_id=str(alert_id))
        return
    event = WebhookEvent(event_id=f"{alert_id}:{state}", at=resources.clock(), body=describe(alert, state))
    await call_webhook(settings.alert_webhook, event, settings.alert_signing_key)


def describe(alert: ServiceAlert, state: State) -> dict[str, object]:
    """What the receiver gets: figures and ids, no words of anybody. The installation has no tenant."""
    return {
        "event": "service_alert",
        "id": f"{alert.alert_id}:{state}",
        "state": state,
        "alert_id": str(alert.alert_id),
        "tenant_id": None if alert.tenant_id == INSTALLATION else str(alert.tenant_id),
        "name": alert.name,
        "severity": alert.severity,
        "value": alert.value,
        "threshold": alert.threshold,
        "samples": alert.samples,
        "began_at": alert.began_at.isoformat(),
        "ended_at": alert.ended_at.isoformat() if alert.ended_at and state == "ended" else None,
    }
