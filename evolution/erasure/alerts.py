"""Telling somebody that an erasure takes too long: the log always, and a webhook where one is configured."""

import structlog

from brain.resources import Resources
from brain.webhook import WebhookEvent, call_webhook
from memory.erasure import ErasureAlert
from memory.errors import BrainError

log = structlog.get_logger(__name__)


async def tell_alerts(resources: Resources) -> int:
    """Tell what is due to be told of all tenants' erasures; how many things that were."""
    alerts = await resources.memory.erasures.alerts(resources.clock())
    for alert in alerts:
        log.error("erasure_overdue" if alert.alert == "escalated" else "erasure_deadline_near", **_told(alert))
        await _call_webhook(resources, alert)
    return len(alerts)


async def _call_webhook(resources: Resources, alert: ErasureAlert) -> None:
    url = resources.settings.erasure_webhook
    if url is None:
        return
    event = WebhookEvent(
        event_id=f"{alert.tombstone_id}:{alert.alert}",
        at=resources.clock(),
        body={"event": "erasure_alert"} | _told(alert),
    )
    try:
        await call_webhook(url, event)
    except BrainError as error:
        log.warning("webhook_failed", code=error.code, tombstone_id=str(alert.tombstone_id))


def _told(alert: ErasureAlert) -> dict[str, str]:
    return {
        "tenant_id": str(alert.tenant_id),
        "tombstone_id": str(alert.tombstone_id),
        "alert": alert.alert,
        "due_at": alert.due_at.isoformat(),
    }
