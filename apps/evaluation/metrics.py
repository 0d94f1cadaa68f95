"""How well a ranking answers a question: plain arithmetic over names in order, averaged over questions.

Evidence is a set of names per piece: any one of them says it. A thing that was ranked but has no name takes a place.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Evidence = tuple[frozenset[str], ...]
"""Everything that is needed to answer, each piece under all the names that state it."""


@dataclass(frozen=True)
class LabelledRanking:
    """What was ranked, best first and each once, and what should have been."""

    ranked: tuple[str | None, ...]
    wanted: Evidence


def recall(judged: LabelledRanking, k: int) -> float:
    """The share of the evidence among the first ``k``."""
    return _count_found(judged, k) / len(judged.wanted)


def hit(judged: LabelledRanking, k: int) -> float:
    """1 when any of the evidence is among the first ``k``."""
    return float(_count_found(judged, k) > 0)


def precision(judged: LabelledRanking, k: int) -> float:
    """The share of ``k`` places that evidence takes; places that stay empty count as wasted."""
    return sum(_names_evidence(judged, name) for name in judged.ranked[:k]) / k


def reciprocal_rank(judged: LabelledRanking) -> float:
    """1 / the place of the first evidence, 0 when there is none."""
    places = (place for place, name in enumerate(judged.ranked, start=1) if _names_evidence(judged, name))
    return next((1 / place for place in places), 0.0)


def ndcg(judged: LabelledRanking, k: int) -> float:
    """Discounted gain against the best possible order; the same piece of evidence stated again gains nothing.

    Each piece gains by itself: a name that states two gains twice in its place.
    """
    ideal = _discounted_gain(_ideal_order(judged.wanted)[:k], judged.wanted)
    # Which order is best is found by always taking the best next: where labels overlap oddly, it may be beaten.
    return min(1.0, _discounted_gain(judged.ranked[:k], judged.wanted) / ideal)


def mean(judged: Sequence[LabelledRanking], metric: Callable[[LabelledRanking], float]) -> float:
    """Over questions, each weighing the same."""
    return sum(map(metric, judged)) / len(judged)


def blank_repeats(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """The same places; a name that came before, as with a second passage of a turn, names nothing new."""
    first = {name: place for place, name in reversed(list(enumerate(names)))}
    return tuple(name if first[name] == place else None for place, name in enumerate(names))


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


def _discounted_gain(ranked: Sequence[str | None], wanted: Evidence) -> float:
    missing, gained = set(wanted), 0.0
    for place, name in enumerate(ranked, start=1):
        told = {piece for piece in missing if name in piece}
        gained += len(told) * _discount(place)
        missing -= told
    return gained


def _ideal_order(wanted: Evidence) -> list[str]:
    """An order that states every piece: each time a name that states the most of what is missing."""
    missing, order = set(wanted), list[str]()
    while missing:
        names = sorted(frozenset[str]().union(*missing))
        best = max(names, key=lambda name: sum(name in piece for piece in missing))
        order.append(best)
        missing -= {piece for piece in missing if best in piece}
    return order


def _count_found(judged: LabelledRanking, k: int) -> int:
    top = set(judged.ranked[:k])
    return sum(not top.isdisjoint(piece) for piece in judged.wanted)


def _names_evidence(judged: LabelledRanking, name: str | None) -> bool:
    return any(name in piece for piece in judged.wanted)


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)
