"""``brain embed calibrate``: measure what the vectors of the configured model are worth, and go by it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.calibration.dataset import Dataset, read_dataset
from apps.calibration.weights import LanguageCalibration, lines, save_weights
from apps.cli.embeddings import embed
from apps.cli.options import PersonOptions, choices, command, scope_from
from apps.cli.output import say
from apps.cli.runner import load_settings, run
from brain.settings import Settings
from memory.recall.policies.registry import POLICIES, find_policy


@dataclass(frozen=True, kw_only=True)
class CalibrationOptions:
    """What to ask, and for whom the answer counts."""

    data: Annotated[list[Path], typer.Argument(help="Conversations with questions, as JSON Lines.", metavar="FILE")]
    policy: Annotated[
        str, typer.Option(help="Ranking policy; the configured one when empty.", autocompletion=choices(POLICIES))
    ] = ""
    tenant: Annotated[str, typer.Option(help="The organisation whose recall goes by it.")] = "local"


@command(embed, "calibrate")
def calibrate_(options: CalibrationOptions) -> None:
    """Measure what vectors are worth on labelled conversations, in a database made for it and dropped, and keep it.

    Each line is a conversation as 'brain ingest' reads it, with questions: question_id, question, category, evidence
    (the turn_id of each turn that is needed to answer). 30 questions of a language are the least.
    """
    settings = load_settings()
    policy = find_policy(options.policy or settings.ranking_policy).name
    calibrate(settings, [read_dataset(path) for path in options.data], policy, options.tenant)


def calibrate(settings: Settings, datasets: Sequence[Dataset], policy: str, tenant: str) -> list[LanguageCalibration]:
    """Measure, tell, and keep the weights in the configured database; running processes heed them in minutes."""
    from apps.calibration.measurement import (
        measure_vector_weights,  # the graphs take a second that --help need not wait
    )

    scope = scope_from(PersonOptions(tenant=tenant), settings.dm_scope)
    found = asyncio.run(measure_vector_weights(settings, datasets, policy))
    for each in found:
        say("\n".join(["", *lines(each)]))
    kept = run(lambda resources: save_weights(resources, scope, found), settings)
    say(f"\nKept for {tenant}: {', '.join(kept) or 'nothing'}.")
    return found
