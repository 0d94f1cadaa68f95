"""Which variant answers a turn: the person's own, the same every time, as long as the experiment runs."""

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.experiments.dimensions import check_dimensions
from brain.experiments.guard import find_harm
from brain.identity import Identity
from brain.state import ExperimentContext
from memory.errors import BrainError
from memory.experiments import DIMENSIONS, Experiment, RunningExperiment, Variant
from memory.session_state import SessionState

log = structlog.get_logger(__name__)

PLACES_PER_PERCENT = 100
"""Places of an experiment, from 0 to 9999, in one percent of the people."""


async def join_experiment(
    opened: SessionState, runtime: Runtime[Context], identity: Identity
) -> ExperimentContext | None:
    """The variant that answers; None where none runs, for who is not in it, and where it has to end or cannot be used.

    Somebody who chose by themself what the variants differ in is not in it, where their word counts.
    """
    running, context = opened.experiment, runtime.context
    if running is None or opened.as_of is not None:
        return None
    picked = "" if identity.verified else context.experiment_variant
    variant = _named(running.experiment, picked) if picked else variant_at(running.experiment, running.place)
    if variant is None or (not identity.verified and not picked and _chose(context, running.experiment)):
        return None
    if await _has_ended(running, runtime, identity) or not _is_usable(variant, running.experiment):
        return None
    return ExperimentContext(
        id=str(running.experiment.experiment_id),
        name=running.experiment.name,
        variant=variant.name,
        dimensions=dict(variant.dimensions),
        assigned=not picked,
    )


def variant_at(experiment: Experiment, place: int) -> Variant | None:
    """The variant whose share covers the place; None behind all shares."""
    covered = 0
    for variant in experiment.variants:
        covered += variant.share * PLACES_PER_PERCENT
        if place < covered:
            return variant
    return None


def _named(experiment: Experiment, name: str) -> Variant | None:
    return next((each for each in experiment.variants if each.name == name), None)


def _chose(context: Context, experiment: Experiment) -> bool:
    """Whether the caller configured one of the things that the variants differ in."""
    tried = {name for variant in experiment.variants for name in variant.dimensions}
    plain = {name: Context.__dataclass_fields__[name].default for name in DIMENSIONS}
    return any(getattr(context, name) != plain[name] for name in DIMENSIONS if name in tried)


async def _has_ended(running: RunningExperiment, runtime: Runtime[Context], identity: Identity) -> bool:
    """Whether the guard ends it now."""
    finding = find_harm(running.experiment, running.counts)
    if finding is None:
        return False
    resources = runtime.context.resources
    log.warning("experiment_ended_by_guard", experiment=running.experiment.name, **finding)
    await resources.memory.experiments.end(identity.scope, running.experiment.experiment_id, resources.clock(), finding)
    return True


def _is_usable(variant: Variant, experiment: Experiment) -> bool:
    """Whether this release still has what the variant names: a person must not be refused for what they did not ask."""
    try:
        check_dimensions(variant.dimensions)
    except BrainError as error:
        log.warning("experiment_not_usable", experiment=experiment.name, variant=variant.name, reason=error.message)
        return False
    return True
