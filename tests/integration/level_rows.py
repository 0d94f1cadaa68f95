"""Rows laid straight into the tables that service levels are counted from, as the owner of the database."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.sql import SQL, Identifier, Placeholder
from psycopg.types.json import Jsonb

AT = datetime(2026, 3, 31, 12, tzinfo=UTC)
"""The moment at which the month is measured."""
TICK = timedelta(microseconds=1)
"""The least that two moments can be apart."""
INJECTION: dict[str, Any] = {
    "candidate_score": 0.5,
    "decision_reason": "relevance",
    "policy_version": "blend@1",
    "guardrail_hit": {"hit": False, "rule": None},
    "context_position": 0,
    "budget_exceeded": False,
}
LEFT_OUT: dict[str, Any] = INJECTION | {
    "decision_reason": "budget_exceeded",
    "context_position": None,
    "budget_exceeded": True,
}
CUT_OFF: dict[str, Any] = INJECTION | {"decision_reason": "below_cut", "context_position": None}
RETRIEVAL: dict[str, Any] = {
    "policy": "blend@1",
    "queries": ["tea"],
    "candidates": [],
    "stores_used": ["memory"],
    "degraded_reason": [],
    "latency_ms": 100.0,
}
WRITE = {"status": "created", "action": "create", "trace_id": ""}


def ago(**length: float) -> datetime:
    """So long before the month's end."""
    return AT - timedelta(**length)


@dataclass(frozen=True)
class Rows:
    """A tenant whose rows are laid by hand."""

    connection: psycopg.Connection[Any]
    tenant_id: UUID = field(default_factory=uuid4)
    user_id: UUID = field(default_factory=uuid4)

    def insert(self, table: str, **columns: Any) -> None:
        """A row of any table, of this tenant."""
        values = {"tenant_id": self.tenant_id, **columns}
        names = SQL(", ").join(map(Identifier, values))
        places = SQL(", ").join(Placeholder() * len(values))
        query = SQL("insert into {} ({}) values ({})").format(Identifier("brain", table), names, places)
        self.connection.execute(query, list(values.values()))

    def receipt(self, kind: str, at: datetime, details: dict[str, Any], **more: Any) -> None:
        """A receipt; ``details`` as it is told."""
        told = {"scope": "main", "user_id": self.user_id, "memory_id": uuid4(), "lane": "fact", **more}
        fixed = {"receipt_id": uuid4(), "receipt_type": kind, "details_schema_version": 3, "created_at": at}
        self.insert("memory_receipts", **fixed, details=Jsonb(details), **told)

    def receipts(self, count: int, kind: str, at: datetime, details: dict[str, Any]) -> None:
        """So many alike."""
        for _ in range(count):
            self.receipt(kind, at, details)

    def memory(self, **columns: Any) -> UUID:
        """A memory of a month ago, without an end unless that is told."""
        item_id, then = uuid4(), ago(days=40)
        words = dict.fromkeys(("subject", "predicate", "object", "content", "category", "slot"), "tea")
        certain = {"confidence": 0.9, "certainty": 0.9, "epistemic_type": "fact", "provenance": Jsonb({}), "version": 1}
        times = dict.fromkeys(("observed_at", "valid_at", "created_at", "updated_at"), then)
        told: dict[str, Any] = {"scope": "main", "user_id": self.user_id, "item_type": "fact", "status": "active"}
        self.insert(
            "memory_items", **{"item_id": item_id, "negated": False, **words, **certain, **times, **told, **columns}
        )
        return item_id

    def memories(self, count: int, **columns: Any) -> None:
        """So many alike."""
        for _ in range(count):
            self.memory(**columns)

    def replaced(self, times: int, last: datetime, **columns: Any) -> UUID:
        """A living memory that stands in the place of so many others, the last of which it replaced at that moment."""
        heir = living = self.memory(**columns)
        for number in range(times):
            when = last if number == 0 else ago(days=35)
            heir = self.memory(status="superseded", superseded_by=heir, updated_at=when, invalid_at=when)
        return living

    def version(self, item_id: UUID, number: int, change: str, at: datetime, *, audited: bool = True) -> None:
        """A change of a memory, and what the audit says of it."""
        who = {"scope": "main", "user_id": self.user_id, "reason": "test", "operator": "test", "recorded_at": at}
        self.insert("memory_versions", item_id=item_id, version=number, change=change, snapshot=Jsonb({}), **who)
        if audited:
            self.insert("audit_log", action=change, target_id=item_id, **who)

    def contradiction(self, held: UUID, new: UUID, status: str = "open") -> None:
        """Two memories that cannot both be true."""
        of = {"scope": "main", "user_id": self.user_id, "opened_at": ago(days=50), "opened_by": "test"}
        self.insert(
            "memory_conflicts", conflict_id=uuid4(), kind="contradiction", held_id=held, new_id=new, status=status, **of
        )

    def tombstone(self, asked: datetime, due: datetime, completed: datetime | None = None) -> None:
        """An erasure; who is erased is known until it is completed."""
        whom = {} if completed else {"user_id": uuid4(), "user_name": "gone"}
        state = "completed" if completed else "processing"
        told = {
            "person_hash": "0" * 64,
            "requested_by": "person",
            "profile": "default",
            "warn_at": due,
            "critical_at": due,
        }
        times = {"requested_at": asked, "due_at": due, "completed_at": completed}
        self.insert("tombstones", tombstone_id=uuid4(), state=state, **told, **times, **whom)

    def operation(self, accepted: datetime, finished: datetime | None = None, status: str = "stored") -> None:
        """An accepted turn, and when memory was done with it."""
        of = {"scope": "main", "user_id": self.user_id, "session_id": self.user_id}
        times = {"created_at": accepted, "finished_at": finished}
        self.insert("operations", operation_id=uuid4(), status=status if finished else "queued", **of, **times)
