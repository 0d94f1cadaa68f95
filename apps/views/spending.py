"""A tenant's account of tokens, with today's limit."""

from dataclasses import dataclass
from datetime import date

from brain.resources import Resources
from memory.model_usage import DaySpending
from memory.scope import Scope, Speaker, scope_of


@dataclass(frozen=True, kw_only=True)
class Account:
    """What was spent, today included. ``limit`` is that of a day; None where there is none."""

    today: date
    limit: int | None
    entries: list[DaySpending]

    @property
    def tokens_today(self) -> int:
        """Today's tokens, asked and answered."""
        return sum(each.input_tokens + each.output_tokens for each in self.entries if each.day == self.today)

    @property
    def is_spent(self) -> bool:
        """Whether no model is asked any more today."""
        return self.limit is not None and self.tokens_today >= self.limit

    @property
    def summary(self) -> str:
        """Today in a few words."""
        return f"{self.tokens_today:,} tokens today" + (", no limit" if self.limit is None else f" of {self.limit:,}")


async def fetch_account(resources: Resources, tenant: str, since: date) -> Account:
    """The tenant's days from ``since`` on."""
    entries = await resources.memory.model_usage.by_day(_tenant_scope(tenant), since)
    return Account(today=resources.today(), limit=resources.settings.daily_tokens, entries=entries)


def _tenant_scope(tenant: str) -> Scope:
    """The account is the tenant's: everybody in it sees the same."""
    return scope_of(Speaker(tenant=tenant, user="nobody", channel=None), "main")
