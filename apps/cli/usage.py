"""``brain usage``: what a tenant's model calls cost, in tokens, and what is left of today's."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api.operations import UsageAccount, read_usage


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_endpoint(app, read_usage, _show)


def _show(found: UsageAccount) -> None:
    rows = [
        (
            each.day.isoformat(),
            each.purpose,
            each.role,
            each.calls,
            each.estimated_calls,
            f"{each.input_tokens:,}",
            f"{each.output_tokens:,}",
        )
        for each in found.days
    ]
    if rows:
        show_table(("day", "for", "model", "calls", "estimated", "tokens in", "tokens out"), rows)
    say(found.summary)
