"""``brain eval retrieval``: recorded conversations in, questions asked, figures out, the gate held."""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from apps.calibration.dataset import read_dataset
from apps.cli.calibration import calibrate
from apps.cli.entry_point import FAILED
from apps.cli.options import choices, command
from apps.cli.output import printable, say
from apps.cli.runner import load_settings
from brain.settings import Settings
from evals.evaluation.baseline import read_baseline
from evals.evaluation.gate import Baseline, baseline_of, falls
from evals.evaluation.measurement import Task, measure_retrieval
from evals.evaluation.own_data import EVERYDAY, own_data
from evals.evaluation.retrieval import RetrievalReport
from evals.evaluation.table import lines
from memory.recall.policies.registry import POLICIES, find_policy

Files = list[Path]
evaluations = typer.Typer(no_args_is_help=True, help="Measure how well Brain does.")


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions:
    """What to measure, and what to hold it against."""

    data: Annotated[
        Files, typer.Option(help="Conversations with questions, ours if none is named; may be repeated.")
    ] = field(default_factory=Files)
    more: Annotated[Files, typer.Argument(help="More such files.", metavar="FILE")] = field(default_factory=Files)
    policy: Annotated[
        str, typer.Option(help="Ranking policy; the configured one when empty.", autocompletion=choices(POLICIES))
    ] = ""
    k: Annotated[list[int], typer.Option(min=1, help="Where to cut; may be repeated.")] = field(
        default_factory=lambda: [5, 10, 20]
    )
    embeddings: Annotated[bool, typer.Option(help="Use the configured embedding model, if there is one.")] = True
    json: Annotated[Path | None, typer.Option(help="Write all figures there.")] = None
    ranks: Annotated[Path | None, typer.Option(help="Write there what was ranked for each question (JSONL).")] = None
    gate: Annotated[Path | None, typer.Option(help="Fail when precision or recall fell against this baseline.")] = None
    save_baseline: Annotated[Path | None, typer.Option(help="Write a baseline for later runs there.")] = None
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Measure what vectors are worth, and keep it.")] = False
    tenant: Annotated[str, typer.Option(help="With --calibrate: the organisation whose recall goes by it.")] = "local"


@command(evaluations, "retrieval")
def retrieval(options: RetrievalOptions) -> None:
    """Measure recall on labelled conversations, written and asked as in life, in a database made for it and dropped."""
    settings = load_settings()
    if not options.embeddings:
        settings = settings.model_copy(update={"embeddings": "none"})
    if options.calibrate:
        _calibrate(settings, options)
        return
    baseline = read_baseline(Baseline, options.gate) if options.gate else None
    if options.ranks:
        options.ranks.write_text("", "utf-8")
    reports = asyncio.run(measure_retrieval(settings, _task(options, settings.ranking_policy)))
    for each in reports:
        say("\n".join(["", *lines(each)]))
    _write(options, reports)
    fail_on_falls(falls(reports, baseline) if baseline else [])


def _calibrate(settings: Settings, options: RetrievalOptions) -> None:
    task = _task(options, settings.ranking_policy)
    found = calibrate(settings, task.datasets, task.policy, options.tenant)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=2) + "\n", "utf-8")


def fail_on_falls(fallen: Sequence[str]) -> None:
    """Tell on stderr which figures fell below their baseline; when any did, the command has failed."""
    for fall in fallen:
        print(printable(fall), file=sys.stderr)
    if fallen:
        raise typer.Exit(FAILED)


def _task(options: RetrievalOptions, policy: str) -> Task:
    paths = (*options.data, *options.more) or own_data(EVERYDAY)
    return Task(
        datasets=[read_dataset(path) for path in paths],
        policy=find_policy(options.policy or policy).name,
        ks=tuple(sorted(set(options.k))),
        ranks=options.ranks,
    )


def _write(options: RetrievalOptions, reports: Sequence[RetrievalReport]) -> None:
    if options.json:
        figures = {"files": [asdict(each) for each in reports]}
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", "utf-8")
    if options.save_baseline:
        options.save_baseline.write_text(baseline_of(reports).model_dump_json(indent=2) + "\n", "utf-8")
