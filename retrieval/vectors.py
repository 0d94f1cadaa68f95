"""The vectors of one embedding model in a matrix, so that a question is compared with all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.postings import Places

Floats = NDArray[np.float32]


class DimensionMismatch(ValueError):
    """A question's vector has another length than the stored ones of its model."""


@dataclass
class Vectors:
    """One line per row number, and its length; a row without a vector has a length that is not a number."""

    lines: Floats
    lengths: NDArray[np.float64]

    @classmethod
    def of(cls, dimensions: int) -> "Vectors":
        """No rows yet."""
        return cls(np.zeros((0, dimensions), np.float32), np.zeros(0))

    @property
    def dimensions(self) -> int:
        """Of each vector."""
        return self.lines.shape[1]

    def put(self, numbers: Sequence[int], vectors: Floats) -> None:
        """The vectors ``[row, dimension]`` of some rows; one of length 0 has no direction and counts as none."""
        self._make_room(max(numbers) + 1)
        self.lines[numbers] = vectors
        self.lengths[numbers] = _lengths(vectors)

    def drop(self, number: int) -> None:
        """Another model serves the row from now on."""
        if number < len(self.lengths):
            self.lengths[number] = np.nan

    def cosines(self, vector: Floats, numbers: Places) -> NDArray[np.float64]:
        """The cosine similarity of a question's vector with each of these rows; not a number for those without one.

        Makes room for rows that no vector has come for yet. Raises ``DimensionMismatch``.
        """
        rows = int(numbers.max()) + 1
        self._make_room(rows)
        if len(vector) != self.dimensions:
            return self._incomparable(numbers)
        # Row by row: a product of matrix and vector would start threads that wait by spinning.
        found = np.vecdot(self.lines[:rows], vector) / (self.lengths[:rows] * _lengths(vector))
        return found[numbers]

    def _incomparable(self, numbers: Places) -> NDArray[np.float64]:
        """A vector of another length is refused where there is one to compare it with."""
        if np.isfinite(self.lengths[numbers]).any():
            raise DimensionMismatch
        return np.full(len(numbers), np.nan)

    def _make_room(self, rows: int) -> None:
        """Twice what is needed, so that rows that come one by one are seldom moved."""
        if rows > len(self.lines):
            more = 2 * rows - len(self.lines)
            self.lines = np.concatenate([self.lines, np.zeros((more, self.dimensions), np.float32)])
            self.lengths = np.concatenate([self.lengths, np.full(more, np.nan)])


def _lengths(vectors: Floats) -> NDArray[np.float64]:
    lengths = np.sqrt(np.vecdot(vectors, vectors, dtype=np.float64))
    return np.where(lengths > 0, lengths, np.nan)
