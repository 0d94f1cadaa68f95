"""Which rows contain a term: an inverted index in two arrays, sorted by term."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Matches:
    """Pairs of a row (its number) and an asked term (its place in the question)."""

    rows: Ints
    asked: NDArray[np.intp]


@dataclass
class Postings:
    """Terms (int32 hashes) in order, and beside each the number of a row that contains it."""

    terms: Ints
    rows: Ints

    @classmethod
    def none(cls) -> "Postings":
        """No rows yet."""
        return cls(np.empty(0, np.int32), np.empty(0, np.int32))

    def add(self, first: int, terms: Sequence[Ints]) -> None:
        """Rows numbered from ``first`` on, each with its terms."""
        added = np.concatenate(terms)
        owners = np.repeat(np.arange(first, first + len(terms), dtype=np.int32), [len(each) for each in terms])
        order = np.argsort(added, kind="stable")
        places = np.searchsorted(self.terms, added[order], side="right")
        self.terms = np.insert(self.terms, places, added[order])
        self.rows = np.insert(self.rows, places, owners[order])

    def matches(self, asked: Ints) -> Matches:
        """All rows that contain any of the asked terms."""
        first = self.terms.searchsorted(asked, "left")
        counts = self.terms.searchsorted(asked, "right") - first
        places = np.arange(int(counts.sum())) + (first - counts.cumsum() + counts).repeat(counts)
        return Matches(self.rows[places], np.arange(len(asked)).repeat(counts))
