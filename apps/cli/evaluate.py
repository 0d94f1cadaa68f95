"""``brain eval retrieval``: recorded conversations in, questions asked, figures out, the gate held."""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.entry_point import FAILED
from apps.cli.options import PersonOptions, choices, command, scope_from
from apps.cli.output import printable, say
from apps.cli.runner import load_settings, run
from apps.evaluation.baseline import read_baseline
from apps.evaluation.calibration import LanguageCalibration
from apps.evaluation.calibration import lines as calibration_lines
from apps.evaluation.dataset import read_dataset
from apps.evaluation.gate import Baseline, baseline_of, falls
from apps.evaluation.measurement import Task, measure_retrieval, measure_vector_weights
from apps.evaluation.own_data import EVERYDAY, own_data
from apps.evaluation.retrieval import RetrievalReport
from apps.evaluation.table import lines
from brain.resources import Resources
from brain.settings import Settings
from memory.calibration import VectorWeight
from memory.recall.policies.registry import POLICIES, find_policy
from memory.scope import Scope

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
    """Keep the weights in the configured database, under the model's name; running processes heed them in minutes."""
    scope = scope_from(PersonOptions(tenant=options.tenant), settings.dm_scope)
    found = asyncio.run(measure_vector_weights(settings, _task(options, settings.ranking_policy)))
    for each in found:
        say("\n".join(["", *calibration_lines(each)]))
    kept = run(lambda resources: _save_weights(resources, scope, found), settings)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=2) + "\n", "utf-8")
    say(f"\nKept for {options.tenant}: {', '.join(kept) or 'nothing'}.")


async def _save_weights(resources: Resources, scope: Scope, found: Sequence[LanguageCalibration]) -> list[str]:
    assert resources.embedder is not None
    weights = [
        VectorWeight(
            model=resources.embedder.name,
            language=each.language,
            weight=each.weight,
            questions=each.questions,
            measured_at=resources.clock(),
        )
        for each in found
        if each.weight is not None
    ]
    if weights:
        await resources.memory.calibration.save_vector_weights(scope, weights)
    return [f"{each.model} in {each.language} {each.weight:g}" for each in weights]


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
