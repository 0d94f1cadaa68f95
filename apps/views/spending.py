"""A tenant's account of tokens, with today's limit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from brain.resources import Resources
from brain.settings_routing import Price
from memory.model_usage import DaySpending, ModelRole
from memory.scope import Scope, Speaker, scope_of

_BOTH: tuple[ModelRole, ModelRole] = ("chat", "routed")


@dataclass(frozen=True, kw_only=True)
class Account:
    """What was spent, today included. ``limit`` is that of a day; None where there is none."""

    today: date
    limit: int | None
    entries: list[DaySpending]
    models: Mapping[ModelRole, str] = field(default_factory=dict[ModelRole, str])
    """Which model each role is today."""
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])

    @property
    def tokens_today(self) -> int:
        """Today's tokens, asked and answered."""
        return sum(each.input_tokens + each.output_tokens for each in self.entries if each.day == self.today)

    @property
    def is_spent(self) -> bool:
        """Whether no model is asked any more today."""
        return self.limit is not None and self.tokens_today >= self.limit

    @property
    def routed_tokens(self) -> int:
        """Tokens of replies that the fast model gave in place of the chat model."""
        return sum(each.input_tokens + each.output_tokens for each in self.entries if each.role == "routed")

    @property
    def cost(self) -> float | None:
        """What all days cost by today's models and prices; None where one of these has no price."""
        return _add(self._price(each, each.role) for each in self.entries) if self.prices else None

    @property
    def saved(self) -> float | None:
        """What the routed replies would have cost more from the chat model; None without both prices."""
        routed = [each for each in self.entries if each.role == "routed"]
        if not self.prices:
            return None
        asked, given = (_add(self._price(each, role) for each in routed) for role in _BOTH)
        return None if asked is None or given is None else asked - given

    @property
    def summary(self) -> str:
        """Today in a few words, and what routing saved."""
        today = f"{self.tokens_today:,} tokens today" + (", no limit" if self.limit is None else f" of {self.limit:,}")
        if not self.routed_tokens:
            return today
        saved = "" if self.saved is None else f", which saved {self.saved:,.2f}"
        return f"{today}; {self.routed_tokens:,} tokens went to the fast model instead of the chat model{saved}"

    def _price(self, entry: DaySpending, role: ModelRole) -> float | None:
        price = self.prices.get(self.models.get(role, ""))
        return price.cost(entry.input_tokens, entry.output_tokens) if price else None


async def fetch_account(resources: Resources, tenant: str, since: date) -> Account:
    """The tenant's days from ``since`` on."""
    entries = await resources.memory.model_usage.by_day(_tenant_scope(tenant), since)
    settings = resources.settings
    models: dict[ModelRole, str] = {"chat": settings.chat_model, "fast": settings.fast_model}
    return Account(
        today=resources.today(),
        limit=settings.daily_tokens,
        entries=entries,
        models={**models, "routed": settings.fast_model},
        prices=settings.prices,
    )


def _add(costs: Iterable[float | None]) -> float | None:
    """The sum; None where one is not known."""
    known = list(costs)
    return None if None in known else sum(each for each in known if each is not None)


def _tenant_scope(tenant: str) -> Scope:
    """The account is the tenant's: everybody in it sees the same."""
    return scope_of(Speaker(tenant=tenant, user="nobody", channel=None), "main")
