"""``brain eval memory``: labelled conversations lived through, what was remembered judged, the gate held."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.cli.options import command
from apps.cli.output import say
from apps.cli.runner import load_settings
from brain.settings import Settings
from evals.evaluation.baseline import read_baseline
from evals.evaluation.memory import Report, Task, examined
from evals.evaluation.memory_data import Split, read_labelled
from evals.evaluation.memory_gate import MemoryBaseline, baseline_of, falls
from evals.evaluation.memory_recorded import read_recording
from evals.evaluation.memory_table import lines
from evals.evaluation.own_data import LABELLED, RECORDED, own_data
from evals.evaluation.retrieval_command import evaluations, fail_on_falls

Files = list[Path]
Halves = Literal["dev", "held", "all"]
_SPLITS: dict[Halves, tuple[Split, ...]] = {"dev": ("dev",), "held": ("held",), "all": ("dev", "held")}


@dataclass(frozen=True, kw_only=True)
class MemoryOptions:
    """What to measure, and what to hold it against."""

    data: Annotated[Files, typer.Option(help="Labelled conversations, ours if none is named; may be repeated.")] = (
        field(default_factory=Files)
    )
    split: Annotated[Halves, typer.Option(help="Which half; nothing may be tuned on the held one.")] = "dev"
    recorded: Annotated[bool, typer.Option("--recorded", help="Recorded answers of a model instead of rules.")] = False
    recording: Annotated[Path | None, typer.Option(help="Where those answers are; ours if none is named.")] = None
    embeddings: Annotated[bool, typer.Option(help="Use the configured embedding model, if there is one.")] = True
    server: Annotated[str, typer.Option(help="A superuser's address of a server; one of its own when empty.")] = ""
    json: Annotated[Path | None, typer.Option(help="Write all figures there.")] = None
    gate: Annotated[Path | None, typer.Option(help="Fail when a figure is worse than in this baseline.")] = None
    save_baseline: Annotated[Path | None, typer.Option(help="Write a baseline there, or renew its part.")] = None


@command(evaluations, "memory")
def memory(options: MemoryOptions) -> None:
    """Measure what is remembered of labelled conversations, in a database made for it and dropped."""
    settings = load_settings()
    baseline = read_baseline(MemoryBaseline, options.gate) if options.gate else None
    reports = _examine(settings, task_of(options))
    for each in reports:
        say("\n".join(["", *lines(each)]))
    _write(options, reports)
    fail_on_falls(falls(reports, baseline) if baseline else [])


def task_of(options: MemoryOptions) -> Task:
    """What these options ask for."""
    return Task(
        labelled=[read_labelled(path) for path in options.data or own_data(LABELLED)],
        splits=_SPLITS[options.split],
        recording=read_recording(options.recording or own_data(RECORDED)[0]) if options.recorded else None,
        embeddings=options.embeddings,
        server=options.server or None,
    )


def _examine(settings: Settings, task: Task) -> list[Report]:
    """With a bar on stderr while somebody is looking."""
    screen = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        every = sum(len(task.conversations(split)) for split in task.splits)
        living = progress.add_task("living through conversations", total=every)
        return asyncio.run(examined(settings, task, lambda: progress.advance(living)))


def _write(options: MemoryOptions, reports: Sequence[Report]) -> None:
    if options.json:
        options.json.write_text(
            json.dumps({"halves": [_report_fields(each) for each in reports]}, indent=2) + "\n", "utf-8"
        )
    if options.save_baseline:
        before = read_baseline(MemoryBaseline, options.save_baseline) if options.save_baseline.exists() else None
        renewed = baseline_of(reports, before).model_dump_json(indent=1)
        options.save_baseline.write_text(renewed + "\n", "utf-8")


def _report_fields(report: Report) -> dict[str, object]:
    """Every share with its parts; what was lived through stays out of it."""
    return {
        "split": report.split,
        "way": report.way,
        "data": dict(report.data),
        "conversations": report.conversations,
        "f1": report.f1,
        "total": {name: asdict(share) for name, share in report.total.items()},
        "groups": {group: {name: asdict(each) for name, each in of.items()} for group, of in report.groups.items()},
        "requests": dict(report.requests),
    }
