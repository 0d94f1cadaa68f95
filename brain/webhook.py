"""A call to somebody's webhook: JSON in a POST, signed where there is a key, bounded in time, its answer not read."""

import asyncio
import hmac
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import httpx
from pydantic_core import to_json

from memory.errors import unavailable

PATIENCE = 5.0
"""Seconds for the webhook to answer."""


@dataclass(frozen=True, kw_only=True)
class WebhookEvent:
    """What is told. ``event_id`` stays the same when it is told again: the receiver leaves out what it has."""

    event_id: str
    at: datetime
    body: Mapping[str, object]


async def call_webhook(url: str, event: WebhookEvent, key: bytes = b"") -> None:
    """Tell it once. Raises ``E_DEP_UNAVAILABLE`` for anything but a status of 2xx in time; the address is not told."""
    content = to_json(event.body)
    headers = {"content-type": "application/json", **(sign(event, content, key) if key else {})}
    try:
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(timeout=PATIENCE) as client,
            client.stream("POST", url, content=content, headers=headers) as answer,
        ):
            answer.raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise unavailable(f"The webhook could not be told ({type(error).__name__}).", "It is tried again.") from None


def sign(event: WebhookEvent, content: bytes, key: bytes) -> Mapping[str, str]:
    """The headers of Standard Webhooks: HMAC-SHA256 over the event's id, the second of telling it, and the body."""
    second = str(int(event.at.timestamp()))
    signed = b".".join((event.event_id.encode(), second.encode(), content))
    signature = b64encode(hmac.new(key, signed, sha256).digest()).decode()
    return {"webhook-id": event.event_id, "webhook-timestamp": second, "webhook-signature": f"v1,{signature}"}
