"""How well a ranking answers a question: plain arithmetic over names in order, averaged over questions.

Evidence is a set of names per piece: any one of them says it. A thing that was ranked but has no name takes a place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

Evidence = tuple[frozenset[str], ...]
"""Everything that is needed to answer, each piece under all the names that state it."""


@dataclass(frozen=True)
class Judged:
    """What was ranked, best first and each once, and what should have been."""

    ranked: tuple[str | None, ...]
    wanted: Evidence


def recall(judged: Judged, k: int) -> float:
    """The share of the evidence among the first ``k``."""
    return _found(judged, k) / len(judged.wanted)


def hit(judged: Judged, k: int) -> float:
    """1 when any of the evidence is among the first ``k``."""
    return float(_found(judged, k) > 0)


def precision(judged: Judged, k: int) -> float:
    """The share of ``k`` places that evidence takes; places that stay empty count as wasted."""
    return sum(_names_evidence(judged, name) for name in judged.ranked[:k]) / k


def reciprocal_rank(judged: Judged) -> float:
    """1 / the place of the first evidence, 0 when there is none."""
    places = (place for place, name in enumerate(judged.ranked, start=1) if _names_evidence(judged, name))
    return next((1 / place for place in places), 0.0)


def ndcg(judged: Judged, k: int) -> float:
    """Discounted gain against the best possible order; the same piece of evidence stated again gains nothing."""
    missing, gained = set(judged.wanted), 0.0
    for place, name in enumerate(judged.ranked[:k], start=1):
        told = {piece for piece in missing if name in piece}
        gained += _discount(place) if told else 0.0
        missing -= told
    return gained / sum(_discount(place) for place in range(1, min(k, len(judged.wanted)) + 1))


def mean(judged: Sequence[Judged], metric: Callable[[Judged], float]) -> float:
    """Over questions, each weighing the same."""
    return sum(map(metric, judged)) / len(judged)


def distinct(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """Names in the order of their first appearance; what has no name is left out."""
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _found(judged: Judged, k: int) -> int:
    top = set(judged.ranked[:k])
    return sum(not top.isdisjoint(piece) for piece in judged.wanted)


def _names_evidence(judged: Judged, name: str | None) -> bool:
    return any(name in piece for piece in judged.wanted)


def _discount(place: int) -> float:
    return 1 / log2(place + 1)
