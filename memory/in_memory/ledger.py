"""The ledger port, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from memory.in_memory.store import InMemoryStore
from memory.ledger import DaySpending, Spending
from memory.scope import Scope


@dataclass
class InMemoryLedger:
    """Accounts on the store, one per tenant."""

    store: InMemoryStore

    async def add(self, scope: Scope, day: date, spendings: Sequence[Spending]) -> None:
        add_spendings(self.store, scope, day, spendings)

    async def tokens_of_day(self, scope: Scope, day: date) -> int:
        return sum_tokens(self.store, scope, day)

    async def by_day(self, scope: Scope, since: date) -> list[DaySpending]:
        asked = [each for each in _entries(self.store, scope.tenant_id) if each.day >= since]
        return sorted(asked, key=lambda each: (-each.day.toordinal(), each.purpose, each.role))


def add_spendings(store: InMemoryStore, scope: Scope, day: date, spendings: Sequence[Spending]) -> None:
    """Add up per tenant, day, purpose and role."""
    for each in spendings:
        key = (scope.tenant_id, day, each.purpose, each.role)
        store.ledger[key] = _sum(store.ledger.get(key), each)


def sum_tokens(store: InMemoryStore, scope: Scope, day: date) -> int:
    """All tokens of a tenant's day."""
    entries = _entries(store, scope.tenant_id)
    return sum(each.input_tokens + each.output_tokens for each in entries if each.day == day)


def _sum(held: Spending | None, new: Spending) -> Spending:
    if held is None:
        return new
    return replace(
        held,
        calls=held.calls + new.calls,
        estimated_calls=held.estimated_calls + new.estimated_calls,
        input_tokens=held.input_tokens + new.input_tokens,
        output_tokens=held.output_tokens + new.output_tokens,
    )


def _entries(store: InMemoryStore, tenant_id: UUID) -> list[DaySpending]:
    return [_day_spending(day, each) for (tenant, day, _, _), each in store.ledger.items() if tenant == tenant_id]


def _day_spending(day: date, spending: Spending) -> DaySpending:
    return DaySpending(day=day, **vars(spending))
