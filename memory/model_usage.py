"""What a tenant's model calls cost, in tokens per UTC day, role and purpose."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from memory.scope import Scope

ModelRole = Literal["chat", "fast", "routed"]
"""``routed``: the fast model, where it replied in place of the chat model."""
PARTS = 16
"""Parts of a row that everybody of a tenant adds to."""
Purpose = Literal["turn", "evolution", "upkeep"]


@dataclass(frozen=True, kw_only=True)
class Spending:
    """Calls and their tokens; ``estimated_calls`` of them were counted here, as the provider told nothing."""

    purpose: Purpose
    role: ModelRole
    calls: int
    estimated_calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, kw_only=True)
class DaySpending(Spending):
    """What was spent on one day."""

    day: date


class ModelUsage(Protocol):
    """One tenant's account. Entries are added up when they are made; nothing tells who in the tenant spoke."""

    async def add(self, scope: Scope, day: date, spendings: Sequence[Spending]) -> None:
        """Add to the day. One round trip, none when there is nothing to add."""
        ...

    async def tokens_of_day(self, scope: Scope, day: date) -> int:
        """All tokens of the tenant's day, asked and answered."""
        ...

    async def by_day(self, scope: Scope, since: date) -> list[DaySpending]:
        """The tenant's days from ``since`` on, newest first, then by purpose and role."""
        ...
