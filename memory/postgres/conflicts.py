"""Contradictions on PostgreSQL: each settlement is one transaction with its versions and audit."""

from dataclasses import dataclass
from uuid import UUID

from memory.conflict_rules import Settled, settle, unknown_conflict
from memory.conflicts import SETTLED, Conflict, ConflictStatus, Settlement
from memory.contracts import Author
from memory.postgres.database import Database, of_scope
from memory.postgres.document_changes import remark
from memory.postgres.revising import Revision, held_item, keep_version, save
from memory.postgres.session import Transaction
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresConflicts:
    """The promises are those of the port."""

    database: Database

    async def listed(self, scope: Scope, *, include_settled: bool = False, limit: int = 100) -> list[Conflict]:
        params = of_scope(scope) | {"include_settled": include_settled, "limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("conflicts_of_person", params, Conflict)

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        asked = of_scope(scope) | {"conflict_id": conflict_id}
        async with self.database.transaction(scope) as session:
            conflict = await session.fetch_one("conflict_by_id", asked, Conflict)
            if conflict is None:
                raise unknown_conflict()
            held = await held_item(session, scope, conflict.held_id)
            new = await held_item(session, scope, conflict.new_id)
            status = SETTLED[settlement.resolution]
            # Before the loser's version, which would settle it by itself and less exactly.
            session.execute("settle_conflict", asked | {"status": status, "at": author.at, "operator": author.operator})
            session.execute("insert_audit", of_scope(scope) | _audit(conflict, status, author))
            await self._record(session, scope, settle((held, new), settlement, author.at), author)
            return status

    async def _record(self, session: Transaction, scope: Scope, settled: Settled, author: Author) -> None:
        if settled.inherits:
            winner, loser = settled.inherits
            inherited = {"memory_id": winner.memory_id, "user_id": winner.user_id, "members": [loser.memory_id]}
            session.execute("inherit_citations", of_scope(scope) | inherited)
        for item, change in settled.changes:
            await save(session, scope, item)
            keep_version(session, scope, Revision(item=item, change=change, author=author, action=change))
            await remark(session, scope, item, author)


def _audit(conflict: Conflict, status: ConflictStatus, author: Author) -> dict[str, object]:
    return {
        "action": f"conflict_{status}",
        "source_id": conflict.held_id,
        "memory_id": conflict.new_id,
        "reason": author.reason,
        "operator": author.operator,
        "trace_id": author.trace_id,
        "at": author.at,
    }
