"""The port of what the processes that serve one database know of each other."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class ShareRequest:
    """So many requests want a place of their tenant at once; ``running`` have one in this process already.

    ``per_minute`` 0 bounds nothing. ``at_most`` is what is left by this process's own count of requests.
    """

    process_id: UUID
    running: int
    wanted: int
    per_minute: int
    at_once: int
    at_most: float


@dataclass(frozen=True)
class ShareGrant:
    """How many of them got one; why not all, and after how many ``seconds`` the next request is due."""

    granted: int
    too_fast: bool
    seconds: float | None


class ServingProcesses(Protocol):
    """Processes by their ids. One that is silent for ten seconds is dead, and holds nothing any more."""

    async def keep(self, process_id: UUID) -> int:
        """Say that a process lives; how many others do."""
        ...

    async def stop(self, process_id: UUID) -> None:
        """Say that a process ends."""
        ...

    async def take_share(self, tenant_id: UUID, asked: ShareRequest) -> ShareGrant:
        """Take places of a tenant; with none ``wanted`` it tells what is in use. One round trip."""
        ...

    async def claim_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID, seconds: float) -> bool:
        """Whether this process, and no other that lives, may carry out a decision for so long."""
        ...

    async def release_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID) -> None:
        """Let go of it."""
        ...
