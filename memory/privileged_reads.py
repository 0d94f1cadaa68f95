"""Reading somebody else's memory by right of office: kept in that person's own audit, where they see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.scope import Scope

ACTION = "privileged_read"


@dataclass(frozen=True, kw_only=True)
class PrivilegedRead:
    """Who read, when and why. ``trace_id`` is that of the request."""

    operator: str
    reason: str
    trace_id: str
    at: datetime


class PrivilegedReads(Protocol):
    """What was read of a person by others."""

    async def record(self, scope: Scope, read: PrivilegedRead) -> None:
        """Append it to the audit of the person whose memory is read. Nothing may be read before this is done."""
        ...

    async def list_newest(self, scope: Scope, limit: int = 100) -> Sequence[PrivilegedRead]:
        """Who read, the newest first."""
        ...
