"""Refusals on PostgreSQL: rows of the audit log."""

from dataclasses import dataclass
from datetime import datetime

from memory.postgres.database import Database, scope_params
from memory.refusals import ACTION, Refusal, tenant_scope
from memory.scope import Scope


@dataclass(frozen=True)
class _RefusalCount:
    refusals: int


@dataclass(frozen=True)
class PostgresRefusals:
    """The promises are those of the port."""

    database: Database

    async def record(self, scope: Scope, refusal: Refusal) -> None:
        told = {
            "action": ACTION,
            "source_id": None,
            "memory_id": None,
            "reason": refusal.what,
            "operator": refusal.operator,
            "trace_id": refusal.trace_id,
            "at": refusal.at,
        }
        whole = tenant_scope(scope)
        async with self.database.transaction(whole) as session:
            session.execute("insert_audit", scope_params(whole) | told)

    async def count(self, scope: Scope, since: datetime) -> int:
        whole = tenant_scope(scope)
        async with self.database.scope_session(whole) as session:
            params = scope_params(whole) | {"action": ACTION, "since": since}
            found = await session.fetch_one("audited_since", params, _RefusalCount)
        return found.refusals if found else 0
