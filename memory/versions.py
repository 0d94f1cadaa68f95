"""The past states of a memory: snapshots, in what they differ, and which was the last in use."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from memory.errors import bad_request
from memory.memory_item import MemoryItem, MemoryVersion

_TIMES = ("valid_at", "invalid_at", "observed_at", "created_at", "updated_at", "last_validated_at")


def snapshot(item: MemoryItem) -> dict[str, Any]:
    """The whole item as plain JSON, for its history."""
    return {key: _to_plain(value) for key, value in asdict(item).items()}


def from_snapshot(data: Mapping[str, Any]) -> MemoryItem:
    """The item a snapshot was taken of."""
    values = {name.name: data[name.name] for name in fields(MemoryItem) if name.name in data}
    for name in _TIMES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    for name in ("memory_id", "user_id", "superseded_by"):
        values[name] = UUID(values[name]) if values[name] else None
    values["source_sessions"] = tuple(UUID(value) for value in values["source_sessions"])
    return MemoryItem(**values)


def differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The fields in which two snapshots differ, with both values; bookkeeping fields aside."""
    skipped = {"version", "updated_at"}
    return {key: (a.get(key), b.get(key)) for key in a if key not in skipped and a.get(key) != b.get(key)}


def last_version_in_use(versions: Sequence[MemoryVersion]) -> int:
    """The version before the memory was forgotten, superseded or taken back. Raises ``E_BAD_REQUEST`` if it was not."""
    if versions[-1].snapshot["status"] == "active":
        raise bad_request("This memory is in use as it is.", "Name an earlier version; its history lists them.")
    in_use = [each.version for each in versions if each.snapshot["status"] == "active"]
    if not in_use:
        raise bad_request("This memory was never in use.", "Name a version; its history lists them.")
    return in_use[-1]


def _to_plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case UUID():
            return str(value)
        case tuple() | list():
            return [_to_plain(each) for each in cast("list[Any]", value)]
        case dict():
            return {key: _to_plain(each) for key, each in cast("dict[str, Any]", value).items()}
        case _:
            return value
