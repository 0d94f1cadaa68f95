"""The port of API keys, by which a program proves for whom it acts and what it may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, get_args
from uuid import UUID

KeyScope = Literal["chat", "memory:read", "memory:write", "on_behalf", "admin", "audit", "ops"]
KEY_SCOPES: tuple[KeyScope, ...] = get_args(KeyScope)


@dataclass(frozen=True, kw_only=True)
class ApiKey:
    """What is known of a key; its text is not. ``scopes`` are what it may do."""

    tenant_id: UUID
    key_id: UUID
    sha256: str
    tenant_name: str
    user_name: str
    label: str
    scopes: tuple[KeyScope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def __post_init__(self) -> None:
        """Rows bring lists."""
        object.__setattr__(self, "scopes", tuple(self.scopes))

    def is_valid(self, now: datetime) -> bool:
        """Whether it opens anything at this moment."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class ApiKeys(Protocol):
    """The keys of one tenant at a time."""

    async def add(self, key: ApiKey) -> None:
        """Keep a new key."""
        ...

    async def find(self, tenant_id: UUID, sha256: str) -> ApiKey | None:
        """The key with this hash, revoked and expired ones included. One round trip."""
        ...

    async def list_keys(self, tenant_id: UUID) -> Sequence[ApiKey]:
        """The tenant's keys, newest first, a thousand at most."""
        ...

    async def expire(self, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        """Have a key expire at a time, unless it does earlier; the key, or None when there is no such valid key."""
        ...

    async def revoke(self, tenant_id: UUID, key_id: UUID, at: datetime) -> ApiKey | None:
        """End a key from now on; the key, or None when the tenant has no such key. Its first end stands."""
        ...
