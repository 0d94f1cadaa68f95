"""How well a ranking answers a question: plain arithmetic over names in order.

Evidence is a set of names per piece: any one of them says it. A thing that was ranked but has no name takes a place.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Evidence = tuple[frozenset[str], ...]
"""Everything that is needed to answer, each piece under all the names that state it."""


@dataclass(frozen=True)
class LabelledRanking:
    """What was ranked, best first and each once, and what should have been."""

    ranked: tuple[str | None, ...]
    wanted: Evidence

    def count_found(self, k: int) -> int:
        """How many pieces of the evidence are among the first ``k``."""
        top = set(self.ranked[:k])
        return sum(not top.isdisjoint(piece) for piece in self.wanted)


def recall(judged: LabelledRanking, k: int) -> float:
    """The share of the evidence among the first ``k``."""
    return judged.count_found(k) / len(judged.wanted)


def ndcg(judged: LabelledRanking, k: int) -> float:
    """Discounted gain against the best possible order; the same piece of evidence stated again gains nothing.

    Each piece gains by itself: a name that states two gains twice in its place.
    """
    ideal = _discounted_gain(_ideal_order(judged.wanted)[:k], judged.wanted)
    # Which order is best is found by always taking the best next: where labels overlap oddly, it may be beaten.
    return min(1.0, _discounted_gain(judged.ranked[:k], judged.wanted) / ideal)


def blank_repeats(names: Sequence[str | None]) -> tuple[str | None, ...]:
    """The same places; a name that came before, as with a second passage of a turn, names nothing new."""
    first = {name: place for place, name in reversed(list(enumerate(names)))}
    return tuple(name if first[name] == place else None for place, name in enumerate(names))


def _discounted_gain(ranked: Sequence[str | None], wanted: Evidence) -> float:
    missing, gained = set(wanted), 0.0
    for place, name in enumerate(ranked, start=1):
        told = {piece for piece in missing if name in piece}
        gained += len(told) / math.log2(place + 1)
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
