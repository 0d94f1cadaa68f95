"""Messages that come without an id get one at the door, so that each attempt of their run brings the same message."""

from collections.abc import Mapping, MutableMapping
from typing import Any, cast
from uuid import uuid4


def name_messages(run: Mapping[str, Any]) -> None:
    """Name the messages of a run's input in place, before the server stores the run. Others are their clients' own."""
    given = cast("Mapping[str, Any]", run.get("kwargs") or {}).get("input")
    sent = cast("Mapping[str, Any]", given).get("messages") if isinstance(given, Mapping) else None
    for each in cast("list[Any]", sent if isinstance(sent, list) else [sent]):
        if isinstance(each, MutableMapping) and not cast("Mapping[str, Any]", each).get("id"):
            each["id"] = str(uuid4())
