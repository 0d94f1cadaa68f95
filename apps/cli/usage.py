"""``brain usage``: what a tenant's model calls cost, in tokens, and what is left of today's."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

import typer

from apps.cli.options import AsJson, command
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.views.spending import Account, fetch_account
from brain.resources import Resources
from memory.ledger import DaySpending
from memory.names import require_name

COLUMNS = ("day", "for", "model", "calls", "estimated", "tokens in", "tokens out")


@dataclass(frozen=True, kw_only=True)
class UsageOptions:
    """Whose account, and how far back."""

    tenant: Annotated[str, typer.Option(help="The organisation whose account this is.")] = "local"
    days: Annotated[int, typer.Option(min=1, max=3_650, help="How many days to show, today included.")] = 7
    json: AsJson = False

    def __post_init__(self) -> None:
        """Refuse what cannot be a name."""
        require_name("tenant", self.tenant)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "usage")
    def usage(options: UsageOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Tell what models were asked and what it cost, per UTC day, purpose and role (fast or chat)."""
        found = run(lambda resources: _fetch_account(resources, options), load_settings())
        if options.json:
            emit({"today": found.today, "spent_today": found.tokens_today, "limit": found.limit, "days": found.entries})
            return
        if found.entries:
            show_table(COLUMNS, map(_row, found.entries))
        say(found.summary)


async def _fetch_account(resources: Resources, options: UsageOptions) -> Account:
    since: date = resources.today() - timedelta(days=options.days - 1)
    return await fetch_account(resources, options.tenant, since)


def _row(each: DaySpending) -> tuple[object, ...]:
    return (
        each.day.isoformat(),
        each.purpose,
        each.role,
        each.calls,
        each.estimated_calls,
        f"{each.input_tokens:,}",
        f"{each.output_tokens:,}",
    )
