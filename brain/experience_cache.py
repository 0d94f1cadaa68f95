"""What the tenant's agent has learnt, as looked up lately: every prompt that a model gets tells of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from memory.errors import BrainError
from memory.experience import Experience, Experiences

log = structlog.get_logger(__name__)

FRESH = timedelta(minutes=5)
"""For so long a process goes by what it looked up."""
MAX_TENANTS = 10_000


@dataclass
class ExperienceCache:
    """The lessons that were read lately, by tenant."""

    _kept: dict[UUID, tuple[datetime, Sequence[Experience]]] = field(
        default_factory=dict[UUID, tuple[datetime, Sequence[Experience]]]
    )

    async def refresh(self, experiences: Experiences, tenant_id: UUID, now: datetime) -> None:
        """Read them where they were not read lately; a turn goes on with those of before when they cannot be read."""
        read_at, known = self._kept.get(tenant_id, (None, ()))
        if read_at is not None and read_at <= now < read_at + FRESH:
            return
        try:
            known = await experiences.list_of(tenant_id)
        except BrainError as error:
            log.warning("experience_not_read", code=error.code)
        if len(self._kept) >= MAX_TENANTS:
            self._kept.clear()
        self._kept[tenant_id] = now, known

    def lessons(self, tenant_id: UUID) -> list[str]:
        """The names of those that were read last."""
        return [each.lesson for each in self._kept.get(tenant_id, (None, ()))[1]]
