"""Transcripts on PostgreSQL."""

from dataclasses import dataclass
from uuid import UUID

from memory.postgres.database import Database, scope_params
from memory.scope import Scope
from memory.transcripts import CandidateUse, SessionOperation, TranscriptTurn


@dataclass(frozen=True)
class PostgresTranscripts:
    """The promises are those of the port."""

    database: Database

    async def turns(self, scope: Scope, session_id: UUID, before: int | None, limit: int) -> list[TranscriptTurn]:
        params = scope_params(scope) | {"session_id": session_id, "before": before, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("transcript", params, TranscriptTurn)

    async def operations(self, scope: Scope, limit: int) -> list[SessionOperation]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("last_operations", scope_params(scope) | {"limit": limit}, SessionOperation)

    async def uses(self, scope: Scope, memory_id: UUID, limit: int) -> list[CandidateUse]:
        params = scope_params(scope) | {"memory_id": memory_id, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("uses_of_memory", params, CandidateUse)
