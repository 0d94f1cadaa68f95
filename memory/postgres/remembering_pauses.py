"""Pauses of remembering on PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.postgres.database import Database, scope_params
from memory.remembering_pauses import RememberingPause
from memory.scope import Scope


@dataclass(frozen=True)
class _Pause:
    pause_id: UUID


@dataclass(frozen=True)
class _Covered:
    covered: bool


@dataclass(frozen=True)
class PostgresRememberingPauses:
    """The promises are those of the port."""

    database: Database

    async def begin(self, scope: Scope, pause_id: UUID, session_id: UUID | None, minutes: int | None) -> None:
        asked = {"pause_id": pause_id, "session_id": session_id, "minutes": minutes}
        async with self.database.transaction(scope) as session:
            if not await session.fetch("known_pause", scope_params(scope) | asked, _Pause):
                session.execute("end_pauses", scope_params(scope) | asked)
                session.execute("begin_pause", scope_params(scope) | asked)

    async def end(self, scope: Scope, session_id: UUID | None) -> int:
        asked = scope_params(scope) | {"session_id": session_id}
        async with self.database.transaction(scope) as session:
            if session_id is not None:
                session.execute("return_to_record", asked)
            return len(await session.fetch("end_pauses", asked, _Pause))

    async def list_current(self, scope: Scope) -> list[RememberingPause]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("current_pauses", scope_params(scope), RememberingPause)

    async def covers(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        asked = scope_params(scope) | {"session_id": session_id, "at": at}
        async with self.database.scope_session(scope) as session:
            return (await session.fetch("pause_covers", asked, _Covered))[0].covered
