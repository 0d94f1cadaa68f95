"""How well a ranking answers a question, averaged over questions: what is reported beside recall and nDCG."""

import math
from collections.abc import Callable, Sequence

from apps.calibration.metrics import LabelledRanking


def hit(judged: LabelledRanking, k: int) -> float:
    """1 when any of the evidence is among the first ``k``."""
    return float(judged.count_found(k) > 0)


def precision(judged: LabelledRanking, k: int) -> float:
    """The share of ``k`` places that evidence takes; places that stay empty count as wasted."""
    return sum(_names_evidence(judged, name) for name in judged.ranked[:k]) / k


def reciprocal_rank(judged: LabelledRanking) -> float:
    """1 / the place of the first evidence, 0 when there is none."""
    places = (place for place, name in enumerate(judged.ranked, start=1) if _names_evidence(judged, name))
    return next((1 / place for place in places), 0.0)


def mean(judged: Sequence[LabelledRanking], metric: Callable[[LabelledRanking], float]) -> float:
    """Over questions, each weighing the same."""
    return sum(map(metric, judged)) / len(judged)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (0..1) of the values lie, interpolated between neighbours; NaN of nothing."""
    if not values:
        return math.nan
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def distinct(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """Names in the order of their first appearance; what has no name is left out."""
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _names_evidence(judged: LabelledRanking, name: str | None) -> bool:
    return any(name in piece for piece in judged.wanted)
