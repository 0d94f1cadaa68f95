"""The port of API keys, in memory."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from memory.api_keys import ApiKey


@dataclass
class InMemoryApiKeys:
    """Keys by tenant and id."""

    keys: dict[tuple[UUID, UUID], ApiKey] = field(default_factory=dict[tuple[UUID, UUID], ApiKey])

    async def add(self, key: ApiKey) -> None:
        self.keys[key.tenant_id, key.key_id] = key

    async def find(self, tenant_id: UUID, sha256: str) -> ApiKey | None:
        return next((key for key in await self.list_keys(tenant_id) if key.sha256 == sha256), None)

    async def list_keys(self, tenant_id: UUID) -> list[ApiKey]:
        own = [key for (tenant, _), key in self.keys.items() if tenant == tenant_id]
        return sorted(own, key=lambda key: (-key.created_at.timestamp(), key.key_id))

    async def revoke(self, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        key = self.keys.get((tenant_id, key_id))
        if key is not None:
            key = self.keys[tenant_id, key_id] = replace(key, revoked_at=key.revoked_at or at)
        return key
