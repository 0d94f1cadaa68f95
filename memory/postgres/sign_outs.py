"""Sign-outs on PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.postgres.database import Database, tenant_scope


@dataclass(frozen=True)
class _Ended:
    ended: bool


@dataclass(frozen=True)
class PostgresSignOuts:
    """The promises are those of the port."""

    database: Database

    async def end(self, tenant_id: UUID, session_sha256: str, at: datetime, until: datetime) -> None:
        ended = {"tenant_id": tenant_id, "session_sha256": session_sha256, "until": until}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("drop_ended_panel_sessions", {"tenant_id": tenant_id, "at": at})
            session.execute("end_panel_session", ended)

    async def has_ended(self, tenant_id: UUID, session_sha256: str) -> bool:
        asked = {"tenant_id": tenant_id, "session_sha256": session_sha256}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            found = await session.fetch_one("panel_session_has_ended", asked, _Ended)
        return found is not None and found.ended
