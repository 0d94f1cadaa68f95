"""``brain levels``: where a tenant's figures pass and fail, and what drills of the standby came to."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api import levels as table

levels = typer.Typer(no_args_is_help=True, help="Where figures of service levels pass and fail, and drills.")


def _show_list(found: table.ThresholdList) -> None:
    rows = [
        (each.figure, f"{each.pass_at:g}", f"{each.fail_at:g}", "own" if each.own else "") for each in found.thresholds
    ]
    show_table(("figure", "passes at", "fails at", ""), rows)


def _show_threshold(found: table.ThresholdView) -> None:
    say(f"{found.figure} passes at {found.pass_at:g} and fails at {found.fail_at:g}{', as set' if found.own else ''}.")


def _show_drill(found: table.DrillView) -> None:
    say(f"Kept: back after {found.rto_seconds:g} s, {found.rpo_seconds:g} s lost.")


add_endpoint(levels, table.list_thresholds, _show_list)
add_endpoint(levels, table.set_threshold, _show_threshold)
add_endpoint(levels, table.reset_threshold, _show_threshold)
add_endpoint(levels, table.record_drill, _show_drill)
