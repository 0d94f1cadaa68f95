"""Who has been served by which embedding model, as it was looked up lately: recall asks with every question."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory.ports import RecallIndex
from memory.scope import Scope, Space

FRESH = timedelta(minutes=5)
"""For so long a process goes by what it looked up; then ``brain embed switch`` counts."""
MOST_PEOPLE = 10_000


@dataclass
class ServingModelCache:
    """By person and model, whether any row that is read has a vector of it."""

    _kept: dict[tuple[Space, str], tuple[datetime, bool]] = field(
        default_factory=dict[tuple[Space, str], tuple[datetime, bool]]
    )

    async def is_served(self, index: RecallIndex, scope: Scope, model: str, now: datetime) -> bool:
        """Whether the person's rows carry vectors of this model."""
        looked_up_at, served = self._kept.get((scope.space, model), (None, False))
        if looked_up_at is None or not looked_up_at <= now < looked_up_at + FRESH:
            if len(self._kept) >= MOST_PEOPLE:
                self._kept.clear()
            counts = await index.vector_counts(scope)
            served = any(each.model == model and not each.staged for each in counts)
            self._kept[scope.space, model] = now, served
        return served
