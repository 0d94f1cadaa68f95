"""``brain upkeep``: what tidying would do to a person's memories, and doing it."""

from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from apps.cli.options import AsJson, PersonOptions, choices, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.upkeep.state import MAX_LOST_SHARE, STEPS, UpkeepAction, UpkeepReport, UpkeepState, select_steps
from graphs.upkeep import UpkeepResult, run_upkeep

upkeep = typer.Typer(no_args_is_help=True, help="Tidy a person's memories: everything it changes can go back.")


@dataclass(frozen=True, kw_only=True)
class RunOptions(PersonOptions):
    """Whose memories, which steps, and whether to change anything."""

    only: Annotated[
        list[str],
        typer.Option(help=f"Run this step only; may be repeated: {', '.join(STEPS)}.", autocompletion=choices(STEPS)),
    ] = field(default_factory=list[str])
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, change nothing.")] = False
    most_lost: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the living memories that one run may put away.")
    ] = MAX_LOST_SHARE
    json: AsJson = False


@command(upkeep, "run")
def run_(options: RunOptions) -> None:
    """Do what the figures call for, and say what was done and why; or, with --dry-run, what would be."""
    state = UpkeepState(only=select_steps(options.only), dry_run=options.dry_run, most_lost=options.most_lost)
    done = run(lambda resources: _tidy(resources, options, state), load_settings())
    if options.json:
        emit({"report": done.report, "actions": done.actions})
    else:
        _print_report(done.report, done.actions, dry_run=options.dry_run)


async def _tidy(resources: Resources, options: RunOptions, asked: UpkeepState) -> UpkeepResult:
    """Run the graph; a bar on stderr shows the step at hand while somebody is looking."""
    errand = JobContext(scope=scope_from(options, resources.settings.dm_scope), resources=resources)
    screen = Console(stderr=True)
    with Progress(console=screen, disable=not screen.is_terminal, transient=True) as progress:
        bar = progress.add_task("reading", total=None)
        return await run_upkeep(
            errand, asked, lambda step, done, of: progress.update(bar, description=step, completed=done, total=of)
        )


def _print_report(report: UpkeepReport, actions: list[UpkeepAction], *, dry_run: bool) -> None:
    figures = report["figures"]
    say(
        f"{figures['living']} living memories, {figures['outdated']} outdated, {figures['staleness']:.0%} over, "
        f"{figures['conflict']:.0%} in conflict."
    )
    for step, outcomes in report["steps"].items():
        counted = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        say(f"{step}: {counted or 'nothing to do'}")
    for alarm in report["alarms"]:
        say(f"! {alarm}")
    if actions:
        show_table(("step", "outcome", "id", "why", "before → after"), (_row(action) for action in actions))
    if dry_run:
        say("Nothing was changed (--dry-run).")


def _row(action: UpkeepAction) -> tuple[str, ...]:
    change = f"{action['before']} → {action['after']}"
    return action["step"], action["outcome"], action["target"][:8], action["why"], change
