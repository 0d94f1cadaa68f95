"""Privileged reads on PostgreSQL: rows of the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.postgres.database import Database, scope_params
from memory.privileged_reads import ACTION, PrivilegedRead
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresPrivilegedReads:
    """The promises are those of the port."""

    database: Database

    async def record(self, scope: Scope, read: PrivilegedRead) -> None:
        told = {"action": ACTION, "source_id": None, "memory_id": None, **vars(read)}
        async with self.database.transaction(scope) as session:
            session.execute("insert_audit", scope_params(scope) | told)

    async def list_newest(self, scope: Scope, limit: int = 100) -> Sequence[PrivilegedRead]:
        async with self.database.scope_session(scope) as session:
            params = scope_params(scope) | {"action": ACTION, "limit": limit}
            return await session.fetch("privileged_reads", params, PrivilegedRead)
