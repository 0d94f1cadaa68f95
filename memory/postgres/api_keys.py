"""API keys on PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.api_keys import ApiKey
from memory.postgres.database import Database, tenant_scope


@dataclass(frozen=True)
class PostgresApiKeys:
    """The promises are those of the port."""

    database: Database

    async def add(self, key: ApiKey) -> None:
        async with self.database.scope_session(tenant_scope(key.tenant_id)) as session:
            session.execute("add_api_key", vars(key) | {"scopes": list(key.scopes)})

    async def find(self, tenant_id: UUID, sha256: str) -> ApiKey | None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch_one("api_key_by_hash", {"tenant_id": tenant_id, "sha256": sha256}, ApiKey)

    async def list_keys(self, tenant_id: UUID) -> list[ApiKey]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("api_keys_of_tenant", {"tenant_id": tenant_id}, ApiKey)

    async def expire(self, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        return await self._end("expire_api_key", tenant_id, key_id, at)

    async def revoke(self, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        return await self._end("revoke_api_key", tenant_id, key_id, at)

    async def _end(self, query: str, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        asked = {"tenant_id": tenant_id, "key_id": key_id, "at": at}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch_one(query, asked, ApiKey)
