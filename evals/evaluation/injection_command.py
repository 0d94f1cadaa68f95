"""``brain eval injection``: what stands before the model against what should, and the gate over it."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from apps.cli.options import choices, command
from apps.cli.output import say
from apps.cli.runner import load_settings
from brain.context import Context
from brain.prompting.truncation import POLICIES as TRUNCATIONS
from brain.settings import Settings
from brain.wiring import build_resources
from evals.evaluation.baseline import read_baseline
from evals.evaluation.injection import ALL, BRAIN, Tally, WorldTallies, measure_injection, sum_groups
from evals.evaluation.injection_data import WORLDS, World, read_worlds
from evals.evaluation.injection_gate import InjectionBaseline, baseline_of, falls
from evals.evaluation.own_data import own_data
from evals.evaluation.retrieval_command import evaluations, fail_on_falls
from memory.recall.policies.registry import POLICIES, find_policy

Files = list[Path]
_COLUMNS = ("messages", "wrong", "unmarked", "precision", "recall", "right", "injected each")


@dataclass(frozen=True, kw_only=True)
class InjectionOptions:
    """What to measure, and what to hold it against."""

    data: Annotated[Files, typer.Option(help="Labelled worlds, ours if none is named; may be repeated.")] = field(
        default_factory=Files
    )
    policy: Annotated[
        str, typer.Option(help="Ranking policy; the configured one when empty.", autocompletion=choices(POLICIES))
    ] = ""
    truncation: Annotated[
        str, typer.Option(help="How the budget is shared out.", autocompletion=choices(TRUNCATIONS))
    ] = "fixed_priority"
    max_memories: Annotated[int, typer.Option(min=0, max=20, help="How many memories a prompt may carry.")] = 8
    every: Annotated[int, typer.Option(min=1, help="Only every so many-th world, for a quick look.")] = 1
    embeddings: Annotated[bool, typer.Option(help="Use the configured embedding model, if there is one.")] = True
    json: Annotated[Path | None, typer.Option(help="Write all figures there.")] = None
    gate: Annotated[Path | None, typer.Option(help="Fail when precision or recall fell against this baseline.")] = None
    save_baseline: Annotated[Path | None, typer.Option(help="Write a baseline for later runs there.")] = None


@command(evaluations, "injection")
def injection(options: InjectionOptions) -> None:
    """Measure what is injected for labelled messages: needed memories, and those that must not be there."""
    settings = load_settings()
    if not options.embeddings:
        settings = settings.model_copy(update={"embeddings": "none"})
    policy = find_policy(options.policy or settings.ranking_policy).name
    baseline = read_baseline(InjectionBaseline, options.gate) if options.gate else None
    worlds = read_worlds(options.data or own_data(WORLDS))[:: options.every]
    measured = asyncio.run(_measure(settings, options, policy, worlds))
    embeddings = ":".join(filter(None, settings.embedding_model))
    say(f"{len(worlds)} worlds, policy {policy}, {options.truncation}, embeddings {embeddings}")
    for name, found in measured.items():
        say("\n".join(["", *lines(name, sum_groups(found))]))
    if options.json:
        options.json.write_text(json.dumps(figures_of(measured), indent=1) + "\n", "utf-8")
    if options.save_baseline:
        kept = baseline_of(measured[BRAIN], policy, options.truncation, embeddings)
        options.save_baseline.write_text(kept.model_dump_json() + "\n", "utf-8")
    fail_on_falls(falls(measured[BRAIN], baseline) if baseline else [])


async def _measure(
    settings: Settings, options: InjectionOptions, policy: str, worlds: Sequence[World]
) -> dict[str, list[WorldTallies]]:
    screen, resources = Console(stderr=True), build_resources(settings)
    try:
        await resources.load()
        context = Context(
            resources=resources,
            ranking_policy=policy,
            truncation=options.truncation,
            max_memories=options.max_memories,
        )
        with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
            asking = progress.add_task("asking", total=len(worlds))
            return await measure_injection(context, worlds, advance=lambda: progress.advance(asking))
    finally:
        await resources.close()


def lines(name: str, groups: Mapping[str, Tally]) -> Iterator[str]:
    """A table of one way to read, wrong ones first."""
    yield f"{name:22}" + "".join(f"{column:>14}" for column in _COLUMNS)
    for group, tally in groups.items():
        split, language, kind = group.split()
        if split == "dev" and kind != ALL:
            continue
        cells = (
            str(tally.messages),
            str(tally.wrong),
            str(tally.unmarked),
            _percent(tally.precision),
            _percent(tally.recall),
            _percent(tally.right / tally.messages),
            f"{tally.injected / tally.messages:.1f}",
        )
        yield f"{split:5}{language:5}{kind:12}" + "".join(f"{cell:>14}" for cell in cells)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def figures_of(measured: Mapping[str, Sequence[WorldTallies]]) -> dict[str, dict[str, dict[str, float | None]]]:
    """All counts and shares, by way and group."""
    return {
        way: {
            group: {**asdict(tally), "precision": tally.precision, "recall": tally.recall}
            for group, tally in sum_groups(found).items()
        }
        for way, found in measured.items()
    }
