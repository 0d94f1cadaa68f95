"""Logged turns as statements tell them in JSON."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.turns import Event


def event_from_json(data: dict[str, Any]) -> Event:
    """A logged turn from its JSON."""
    return Event(
        event_id=UUID(data["event_id"]),
        session_id=UUID(data["session_id"]),
        position=data["position"],
        role=data["role"],
        speaker=data["speaker"],
        text=data["text"],
        sha256=data["sha256"],
        occurred_at=datetime.fromisoformat(data["occurred_at"]),
        time_zone=data["time_zone"],
        reference=data["reference"],
        broken_off=data["broken_off"],
        withheld=data.get("withheld"),
        blocks=data.get("blocks"),
    )
