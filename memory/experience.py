"""Agent experience: what a tenant's agent learns of how its tools end (SPEC M14). It holds nobody's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class TurnOutcomes:
    """How the calls of one turn ended, in their order (``{tool, ok, code}``), and whether its answer was corrected."""

    user_id: UUID
    session_id: UUID
    at: datetime
    tools: Sequence[Mapping[str, Any]]
    corrected: bool


@dataclass(frozen=True, kw_only=True)
class Experience:
    """A lesson under a closed name, in how many conversations of how many people it was so, and was not so."""

    lesson: str
    times: int
    against: int
    people: int
    last_seen: datetime


class Experiences(Protocol):
    """What the application sees of a tenant's lessons."""

    async def list_of(self, tenant_id: UUID) -> Sequence[Experience]:
        """Those that nobody took out, the most frequent first."""
        ...

    async def remove(self, tenant_id: UUID, lesson: str) -> bool:
        """Take one out for good; False where there is none."""
        ...


class ExperienceCount(Protocol):
    """What only the owner of the database may do: read how calls ended across a tenant, and keep the lessons."""

    async def tenants(self, since: datetime) -> Sequence[UUID]:
        """Tenants that called tools since then, or have lessons."""
        ...

    async def outcomes(self, tenant_id: UUID, since: datetime, most: int) -> Sequence[TurnOutcomes]:
        """The newest turns with calls of tools."""
        ...

    async def keep(self, tenant_id: UUID, counted: Sequence[Experience]) -> int:
        """These lessons instead of those of before; how many there are."""
        ...
