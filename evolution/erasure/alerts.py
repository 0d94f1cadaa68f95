"""Telling somebody that an erasure takes too long: the log always, and a webhook where one is configured."""

import httpx
import structlog

from brain.resources import Resources
from memory.erasure import ErasureAlert

log = structlog.get_logger(__name__)

PATIENCE = 5.0
"""Seconds for the webhook to answer."""


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
    try:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            (await client.post(url, json={"event": "erasure_alert"} | _told(alert))).raise_for_status()
    except httpx.HTTPError as error:
        log.warning("webhook_failed", error=type(error).__name__, tombstone_id=str(alert.tombstone_id))


def _told(alert: ErasureAlert) -> dict[str, str]:
    return {
        "tenant_id": str(alert.tenant_id),
        "tombstone_id": str(alert.tombstone_id),
        "alert": alert.alert,
        "due_at": alert.due_at.isoformat(),
    }
