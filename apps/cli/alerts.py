"""``brain alerts``: what burns now, and what ended."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api import alerts as table
from brain.settings_cells import HOME

alerts = typer.Typer(no_args_is_help=True, help="Alerts about how the service does: what burns now, and what ended.")


def _show_list(found: table.AlertList) -> None:
    rows = [
        (
            each.severity,
            each.name,
            each.of if each.cell in (None, HOME) else f"{each.of} ({each.cell})",
            f"{each.value:,.4g}",
            f"{each.threshold:g}",
            f"{each.samples:,}",
            f"{each.began_at:%Y-%m-%d %H:%M}",
            f"{each.ended_at:%Y-%m-%d %H:%M}" if each.ended_at else "goes on",
        )
        for each in found.alerts
    ]
    if rows:
        show_table(("severity", "alert", "of", "value", "threshold", "events", "since (UTC)", "until"), rows)
    else:
        say("There is no alert.")


add_endpoint(alerts, table.list_alerts, _show_list)
