"""What people attach, on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.media import ListedMedia, StoredMedia
from memory.paging import Cursor, cursor_params
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class _Carrier:
    event_id: UUID


@dataclass(frozen=True)
class PostgresMedia:
    """The promises are those of the port."""

    database: Database

    async def find(self, scope: Scope, sha256s: Sequence[str]) -> list[StoredMedia]:
        if not sha256s:
            return []
        params = scope_params(scope) | {"sha256s": list(sha256s)}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("find_media", params, StoredMedia)

    async def list_newest(self, scope: Scope, limit: int, after: Cursor | None = None) -> list[ListedMedia]:
        params = scope_params(scope) | cursor_params(after) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("newest_media", params, ListedMedia)

    async def forget(self, scope: Scope, digest: str) -> int:
        async with self.database.scope_session(scope) as session:
            return len(await session.fetch("forget_media", scope_params(scope) | {"sha256": digest}, _Carrier))

    async def drop_forgotten(self, scope: Scope, before: datetime) -> int:
        async with self.database.scope_session(scope) as session:
            params = scope_params(scope) | {"before": before}
            return len(await session.fetch("drop_forgotten_media", params, _Carrier))
