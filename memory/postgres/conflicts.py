"""Contradictions on PostgreSQL: each settlement is one transaction with its versions and audit."""

from dataclasses import dataclass
from uuid import UUID

from memory.conflict_rules import SettlementChanges, settle, unknown_conflict
from memory.conflicts import STATUS_BY_RESOLUTION, Conflict, ConflictStatus, Settlement
from memory.contracts import Author
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import update_outdated_marks
from memory.postgres.item_versions import Revision, get_item, keep_version, save_item
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresConflicts:
    """The promises are those of the port."""

    database: Database

    async def list_conflicts(self, scope: Scope, *, include_settled: bool = False, limit: int = 100) -> list[Conflict]:
        params = scope_params(scope) | {"include_settled": include_settled, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("conflicts_of_person", params, Conflict)

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        asked = scope_params(scope) | {"conflict_id": conflict_id}
        async with self.database.transaction(scope) as session:
            conflict = await session.fetch_one("conflict_by_id", asked, Conflict)
            if conflict is None:
                raise unknown_conflict()
            held = await get_item(session, scope, conflict.held_id)
            new = await get_item(session, scope, conflict.new_id)
            status = STATUS_BY_RESOLUTION[settlement.resolution]
            # Before the loser's version, which would settle it by itself and less exactly.
            session.execute("settle_conflict", asked | {"status": status, "at": author.at, "operator": author.operator})
            session.execute("insert_audit", scope_params(scope) | _audit_params(conflict, status, author))
            await self._record(session, scope, settle((held, new), settlement, author.at), author)
            return status

    async def _record(self, session: Transaction, scope: Scope, settled: SettlementChanges, author: Author) -> None:
        if settled.inherits:
            winner, loser = settled.inherits
            inherited = {"memory_id": winner.memory_id, "user_id": winner.user_id, "members": [loser.memory_id]}
            session.execute("inherit_citations", scope_params(scope) | inherited)
        for item, change in settled.changes:
            await save_item(session, scope, item)
            keep_version(session, scope, Revision(item=item, change=change, author=author, action=change))
            await update_outdated_marks(session, scope, item, author)


def _audit_params(conflict: Conflict, status: ConflictStatus, author: Author) -> dict[str, object]:
    return {
        "action": f"conflict_{status}",
        "source_id": conflict.held_id,
        "memory_id": conflict.new_id,
        "reason": author.reason,
        "operator": author.operator,
        "trace_id": author.trace_id,
        "at": author.at,
    }
