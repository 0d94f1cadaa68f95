"""A tenant's account of tokens, for the command line and the doctor."""

from dataclasses import dataclass
from datetime import date

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import BrainError
from memory.ledger import DaySpending
from memory.scope import Scope, Speaker, scope_of

_SPENT = "Raise BRAIN_DAILY_TOKENS, or wait for the next UTC day; rules and memory alone do the work until then."


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
    entries = await resources.memory.ledger.by_day(_tenant_scope(tenant), since)
    return Account(today=resources.today(), limit=resources.settings.daily_tokens, entries=entries)


async def spending_finding(settings: Settings, tenant: str) -> Finding | None:
    """Today's tokens; nothing to tell without a model, or without a database, of which others tell."""
    resources = build_resources(settings)
    try:
        if not resources.models.is_configured:
            return None
        found = await fetch_account(resources, tenant, resources.today())
    except BrainError:
        return None
    finally:
        await resources.close()
    what = f"{found.summary} (tenant {tenant})"
    return degraded_finding("tokens", what, _SPENT) if found.is_spent else ok_finding("tokens", what)


def _tenant_scope(tenant: str) -> Scope:
    """The account is the tenant's: everybody in it sees the same."""
    return scope_of(Speaker(tenant=tenant, user="nobody", channel=None), "main")
