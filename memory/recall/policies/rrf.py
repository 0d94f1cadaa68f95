"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): one order out of several, by ranks alone."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

RRF_K = 60
"""The authors' constant: the greater, the less the very first places count."""

Item = TypeVar("Item", bound=Hashable)


def fuse(rankings: Iterable[Sequence[Item]]) -> Mapping[Item, float]:
    """For each item the sum of ``1 / (RRF_K + rank)`` over the rankings that hold it; ranks begin at 1."""
    fused: defaultdict[Item, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            fused[item] += 1 / (RRF_K + rank)
    return fused
