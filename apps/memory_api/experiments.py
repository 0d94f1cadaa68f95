"""Experiments: variants of Brain, each for a share of the tenant's people, compared by sums that name nobody."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from brain.experiments.comparison import Tally, newcombe, tally, wilson
from brain.experiments.dimensions import check_dimensions
from brain.experiments.guard import MIN_TRIALS
from brain.score_intervals import Interval
from memory.errors import BrainError, bad_request
from memory.experiments import MEASURES, Experiment, Measure, Variant, VariantCounts

PERCENT = 100
MAX_VARIANTS = 5
_WORD = r"^[a-z0-9][a-z0-9_.-]{0,63}$"
_FORM = "Write NAME=SHARE or NAME=SHARE,DIMENSION=VALUE, such as short=50,prompt_variant=terse."
ExperimentName = Annotated[str, Field(pattern=_WORD, description="Its name: small letters, digits, dots and dashes.")]


class ExperimentStart(ApiRequest):
    """What is tried on whom. People beyond the shares are not in it."""

    name: ExperimentName
    variants: Annotated[
        tuple[Text, ...],
        Field(
            min_length=2,
            max_length=MAX_VARIANTS,
            description="NAME=SHARE or NAME=SHARE,DIMENSION=VALUE: percent of the people, and what is different for "
            "them (prompt_variant, ranking_policy, truncation, routing). The first is what others are compared with.",
        ),
    ]
    guard: Annotated[
        Measure, Field(description="What ends it by itself when it gets worse: negative, corrections or utilization.")
    ] = "negative"


class OneExperiment(ApiRequest):
    """Which experiment."""

    name: ExperimentName


class ExperimentsAsked(ApiRequest):
    """All of the tenant."""


class VariantView(ApiAnswer):
    """One way of answering; ``share`` in percent."""

    name: str
    share: int
    dimensions: Mapping[str, str]


class ExperimentView(ApiAnswer):
    """It runs while ``ended_at`` is null. ``finding``: the figures by which the guard ended it."""

    id: UUID
    name: str
    variants: list[VariantView]
    guard: Measure
    started_at: datetime
    ended_at: datetime | None
    ended_by: str | None
    finding: Mapping[str, Any] | None


class ExperimentList(ApiAnswer):
    """The newest first."""

    experiments: list[ExperimentView]


class MeasureView(ApiAnswer):
    """A rate with its 95 % interval; ``difference`` to the first variant, null for that one and where nothing is known.

    ``enough``: whether both have 30 cases at least, without which nothing should be concluded.
    """

    measure: Measure
    hits: int
    trials: int
    rate: float
    interval: tuple[float, float]
    difference: tuple[float, float] | None
    enough: bool


class VariantResult(ApiAnswer):
    """What happened in one variant."""

    variant: str
    turns: int
    routed: int
    input_tokens: int
    output_tokens: int
    measures: list[MeasureView]


class ExperimentResult(ExperimentView):
    """An experiment with what came out so far."""

    results: list[VariantResult]


@endpoint(
    "POST /experiments",
    scope="admin",
    status=201,
    command="experiments start",
    example={"name": "shorter", "variants": ["control=50", "short=50,prompt_variant=terse"]},
)
async def start_experiment(asked: ExperimentStart, call: ApiCall) -> ExperimentView:
    """Start an experiment. One runs at a time; a person gets the same variant until it ends."""
    experiment = Experiment(
        experiment_id=call.resources.new_id(),
        name=asked.name,
        variants=_read_variants(asked.variants),
        guard=asked.guard,
        started_at=call.resources.clock(),
    )
    if await call.memory.experiments.start(call.scope, experiment):
        return _view(experiment)
    if await call.memory.experiments.find(call.scope, asked.name):
        raise BrainError("E_CONFLICT", f"There was an experiment {asked.name!r} already.", "Give it another name.")
    raise BrainError("E_CONFLICT", "Another experiment runs.", "End it first, or wait for it.")


@endpoint("POST /experiments/{name}/end", scope="admin", command="experiments end", example={"name": "shorter"})
async def end_experiment(asked: OneExperiment, call: ApiCall) -> ExperimentView:
    """End an experiment: everybody gets what the server is set to. What was counted stays."""
    found = await _find(asked.name, call)
    ended = await call.memory.experiments.end(call.scope, found.experiment_id, call.resources.clock())
    return _view(ended or await _find(asked.name, call))


@endpoint("GET /experiments", scope="ops", command="experiments list")
async def list_experiments(asked: ExperimentsAsked, call: ApiCall) -> ExperimentList:
    """List the tenant's experiments."""
    return ExperimentList(experiments=[_view(each) for each in await call.memory.experiments.list_newest(call.scope)])


@endpoint("GET /experiments/{name}", scope="ops", command="experiments show", example={"name": "shorter"})
async def show_experiment(asked: OneExperiment, call: ApiCall) -> ExperimentResult:
    """Compare an experiment's variants: replies rejected, things taken back, memories used, and tokens."""
    found = await _find(asked.name, call)
    counts = await call.memory.experiments.counts(call.scope, found.experiment_id)
    results = [_result(each.name, found.variants[0].name, counts) for each in found.variants]
    return ExperimentResult(**_view(found).model_dump(), results=results)


async def _find(name: str, call: ApiCall) -> Experiment:
    found = await call.memory.experiments.find(call.scope, name)
    if found is None:
        raise BrainError("E_NOT_FOUND", f"There is no experiment {name!r}.", "The list tells which there are.")
    return found


def _read_variants(texts: Sequence[str]) -> tuple[Variant, ...]:
    variants = tuple(_read_variant(each) for each in texts)
    names = [each.name for each in variants]
    if len(set(names)) < len(names):
        raise bad_request("Two variants have the same name.", "Give each its own.")
    if sum(each.share for each in variants) > PERCENT:
        raise bad_request("The shares are more than 100 percent together.", "Let them add up to 100 at most.")
    if len({tuple(sorted(each.dimensions.items())) for each in variants}) < len(variants):
        raise bad_request("Two variants do not differ in anything.", _FORM)
    return variants


def _read_variant(text: str) -> Variant:
    head, *rest = (part.strip().partition("=") for part in text.split(","))
    name, _, share = head
    if not (name.isascii() and name.replace("_", "").replace("-", "").isalnum() and len(name) <= 64):
        raise bad_request(f"{text!r} does not begin with the name of a variant.", _FORM)
    if not (share.isascii() and share.isdigit() and 1 <= int(share[:4]) <= PERCENT):
        raise bad_request(f"{text!r} has no share from 1 to {PERCENT}.", _FORM)
    dimensions = {key: value for key, _, value in rest}
    if len(dimensions) < len(rest):
        raise bad_request(f"{text!r} says something twice.", _FORM)
    check_dimensions(dimensions)
    return Variant(name=name, share=int(share), dimensions=dimensions)


def _view(found: Experiment) -> ExperimentView:
    return ExperimentView(
        id=found.experiment_id,
        name=found.name,
        variants=[VariantView.model_validate(each) for each in found.variants],
        guard=found.guard,
        started_at=found.started_at,
        ended_at=found.ended_at,
        ended_by=found.ended_by,
        finding=found.finding,
    )


def _result(variant: str, control: str, counts: Sequence[VariantCounts]) -> VariantResult:
    own = [each for each in counts if each.variant == variant]
    against = None if variant == control else [each for each in counts if each.variant == control]
    return VariantResult(
        variant=variant,
        turns=sum(each.turns for each in own),
        routed=sum(each.routed for each in own),
        input_tokens=sum(each.input_tokens for each in own),
        output_tokens=sum(each.output_tokens for each in own),
        measures=[_measure(each, own, against) for each in MEASURES],
    )


def _measure(measure: Measure, own: Sequence[VariantCounts], control: Sequence[VariantCounts] | None) -> MeasureView:
    found = tally(own, measure)
    other = None if control is None else tally(control, measure)
    return MeasureView(
        measure=measure,
        hits=found.hits,
        trials=found.trials,
        rate=round(found.rate, 4),
        interval=_pair(wilson(found)),
        difference=_pair(newcombe(found, other)) if other and other.trials and found.trials else None,
        enough=_is_enough(found) and (other is None or _is_enough(other)),
    )


def _is_enough(found: Tally) -> bool:
    return found.trials >= MIN_TRIALS


def _pair(interval: Interval) -> tuple[float, float]:
    return round(interval.low, 4), round(interval.high, 4)
