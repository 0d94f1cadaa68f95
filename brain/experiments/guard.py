"""When an experiment ends by itself: a variant is worse than the first one by a fifth, beyond doubt."""

from collections.abc import Mapping, Sequence
from typing import Any

from brain.experiments.comparison import newcombe, tally
from memory.experiments import Experiment, Measure, VariantCounts

WORSE_BY = 0.2
"""How much worse than the first variant's rate ends the experiment, as a share of that rate."""
MIN_TRIALS = 30
"""Turns that went on, or memories that were shown, in each of both variants before anything is concluded."""
MIN_PARTS = 5
"""Sixteenths of the people that must have said something in each: with fewer, people cannot be told from variants."""
CONFIDENCE = 0.99


def find_harm(experiment: Experiment, counts: Sequence[VariantCounts]) -> Mapping[str, Any] | None:
    """The figures by which a variant has to end the experiment; None while none does.

    It is looked at before every turn. A fifth alone would be exceeded by chance sooner or later, so the interval of the
    difference has to exclude none as well.
    """
    control = experiment.variants[0].name
    for variant in experiment.variants[1:]:
        found = compare(experiment.guard, _of(counts, variant.name), _of(counts, control))
        if found:
            return {"variant": variant.name, "measure": experiment.guard, **found}
    return None


def compare(
    measure: Measure, tried: Sequence[VariantCounts], control: Sequence[VariantCounts]
) -> Mapping[str, Any] | None:
    """The rates and the interval of their difference, where what is tried is worse beyond doubt."""
    one, other = tally(tried, measure), tally(control, measure)
    if min(one.trials, other.trials) < MIN_TRIALS or min(len(one.parts), len(other.parts)) < MIN_PARTS:
        return None
    more_is_worse = measure != "utilization"
    bound = other.rate * (1 + WORSE_BY if more_is_worse else 1 - WORSE_BY)
    if one.rate <= bound if more_is_worse else one.rate >= bound:
        return None
    interval = newcombe(one, other, CONFIDENCE)
    if not interval.excludes(0.0):
        return None
    figures = {"rate": one.rate, "control": other.rate, "low": interval.low, "high": interval.high}
    return {name: round(value, 4) for name, value in figures.items()}


def _of(counts: Sequence[VariantCounts], variant: str) -> list[VariantCounts]:
    return [each for each in counts if each.variant == variant]
