"""The port of sign-outs, in memory."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


@dataclass
class InMemorySignOuts:
    """When sessions would have ended by themselves, by tenant and hash."""

    ended: dict[tuple[UUID, str], datetime] = field(default_factory=dict[tuple[UUID, str], datetime])

    async def end(self, tenant_id: UUID, session_sha256: str, at: datetime, until: datetime) -> None:
        self.ended = {known: over for known, over in self.ended.items() if known[0] != tenant_id or over > at}
        self.ended[tenant_id, session_sha256] = until

    async def has_ended(self, tenant_id: UUID, session_sha256: str) -> bool:
        return (tenant_id, session_sha256) in self.ended
