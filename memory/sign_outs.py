"""The port of sign-outs: sessions of browsers that ended before their time."""

from datetime import datetime
from typing import Protocol
from uuid import UUID


class SignOuts(Protocol):
    """Ended sessions of one tenant at a time, each known by a hash."""

    async def end(self, tenant_id: UUID, session_sha256: str, at: datetime, until: datetime) -> None:
        """End a session in every process. It is remembered until it would have ended by itself."""
        ...

    async def has_ended(self, tenant_id: UUID, session_sha256: str) -> bool:
        """Whether somebody signed out of it. One round trip."""
        ...
