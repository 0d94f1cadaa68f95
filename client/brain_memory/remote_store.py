"""Brain's memory as LangGraph's store, from another process: ``builder.compile(store=RemoteStore(client))``."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from brain_memory.client import BrainClient
from brain_memory.errors import BrainUnavailable


class RemoteStore(BaseStore):
    """The store of one person, whom the client's key or ``user`` names; namespaces are relative to them.

    Unlike recall and capture a store raises ``BrainUnavailable``: a value that was not written must not look written.
    """

    supports_ttl = True

    def __init__(self, client: BrainClient, user: str | None = None) -> None:
        self._client = client
        self._user = user

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """One request for all. Reads see what was there before the writes."""
        asked = list(ops)
        return _results(asked, self._client.run_operations([_encode(op) for op in asked], self._user))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """One request for all. Reads see what was there before the writes."""
        asked = list(ops)
        return _results(asked, await self._client.arun_operations([_encode(op) for op in asked], self._user))


def _encode(op: Op) -> dict[str, Any]:
    """An operation as the API takes it, without fields that say nothing."""
    match op:
        case GetOp():
            told: dict[str, Any] = {"op": "get", **op._asdict()}
        case PutOp(value=None):
            told = {"op": "delete", "namespace": op.namespace, "key": op.key}
        case PutOp():
            told = {"op": "put", **op._asdict()}
        case SearchOp():
            told = {"op": "search", **op._asdict()}
        case ListNamespacesOp():
            conditions = [{"match_type": each.match_type, "path": each.path} for each in op.match_conditions or ()]
            told = {"op": "list_namespaces", **op._asdict(), "match_conditions": conditions or None}
        case _:
            raise TypeError(f"The store does not know the operation {type(op).__name__}.")
    return {name: value for name, value in told.items() if value is not None}


def _results(ops: list[Op], rows: list[Any]) -> list[Result]:
    if len(rows) != len(ops):
        raise BrainUnavailable("E_BAD_ANSWER", f"The store answered {len(rows)} of {len(ops)} operations.")
    return [_decode(op, row) for op, row in zip(ops, rows, strict=True)]


def _decode(op: Op, row: Any) -> Result:
    match op:
        case GetOp():
            return Item(**_fields(row)) if row else None
        case SearchOp():
            return [SearchItem(**_fields(each), score=each.get("score")) for each in row]
        case ListNamespacesOp():
            return [tuple(each) for each in row]
        case _:
            return None


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "namespace": tuple(row["namespace"]),
        "key": row["key"],
        "value": row["value"],
        "created_at": datetime.fromisoformat(row["created_at"]),
        "updated_at": datetime.fromisoformat(row["updated_at"]),
    }
