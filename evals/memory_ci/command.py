"""``brain eval all``: is this configuration good? One offline command with a verdict for each part."""

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console
from rich.progress import Progress

from apps.cli.entry_point import FAILED
from apps.cli.options import choices, command
from apps.cli.output import say
from apps.cli.runner import load_settings
from brain.settings import Settings
from evals.evaluation.retrieval_command import evaluations
from evals.evaluation.scratch import URL_VARIABLE, a_server
from evals.memory_ci.bench import Bench, isolate
from evals.memory_ci.configuration import describe_configuration
from evals.memory_ci.page import as_html, as_json, as_lines
from evals.memory_ci.parts import PARTS, Part, choose_parts, run_part
from evals.memory_ci.report import PartReport, Report

Names = list[str]


@dataclass(frozen=True, kw_only=True)
class AllOptions:
    """What to run, and where the page goes."""

    only: Annotated[
        Names,
        typer.Option(help="A part; may be repeated.", autocompletion=choices(part.name for part in PARTS)),
    ] = field(default_factory=Names)
    quick: Annotated[bool, typer.Option("--quick", help="A few cases of each part: does it run at all?")] = False
    html: Annotated[Path | None, typer.Option(help="Write a page there that needs nothing else.")] = None
    json: Annotated[Path | None, typer.Option(help="Write all figures there.")] = None
    server: Annotated[str, typer.Option(help="A superuser's address of a server; one of its own when empty.")] = ""


@command(evaluations, "all")
def all_(options: AllOptions) -> None:
    """Examine this configuration: wrong acts, leaks, poisoning, erasure, injection, retrieval, junk.

    Offline, in databases made for it and dropped; the parts are given 14 minutes together. Fails when any of them fails
    or could not run.
    """
    settings, parts = load_settings(), choose_parts(options.only)
    report = _run(settings, parts, options)
    if options.html:
        options.html.write_text(as_html(report), "utf-8")
    if options.json:
        options.json.write_text(json.dumps(as_json(report), ensure_ascii=False, indent=1) + "\n", "utf-8")
    say("\n".join(as_lines(report)))
    if not report.is_passed:
        raise typer.Exit(FAILED)


def _run(settings: Settings, parts: Sequence[Part], options: AllOptions) -> Report:
    # What guards refuse is logged as a warning, and refused it is in hundreds.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    began = datetime.now(UTC).isoformat(timespec="seconds")
    screen, is_own = Console(stderr=True), not (options.server or os.environ.get(URL_VARIABLE))
    with (
        tempfile.TemporaryDirectory(prefix="brain-eval-") as folder,
        a_server(options.server or None, durable=False) as server,
        Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress,
    ):
        bench = Bench(settings=isolate(settings, Path(folder)), server=server, is_own=is_own, is_quick=options.quick)
        task = progress.add_task("examining", total=len(parts))
        reports = asyncio.run(run_parts(parts, bench, lambda: progress.advance(task)))
    return Report(began_at=began, configuration=describe_configuration(settings), parts=reports, is_quick=options.quick)


async def run_parts(parts: Sequence[Part], bench: Bench, done: Callable[[], None]) -> list[PartReport]:
    """One after the other: each has both processors, and its time means something."""
    reports = list[PartReport]()
    for part in parts:
        reports.append(await run_part(part, bench))
        done()
    return reports
