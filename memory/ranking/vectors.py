"""The vectors of one embedding model in a matrix, so that a question is compared with all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.embedding import mismatch

Floats = NDArray[np.float32]


@dataclass
class Vectors:
    """One line per row number, and its length; a row without a vector has a length that is not a number."""

    lines: Floats
    lengths: NDArray[np.float64]

    @classmethod
    def of(cls, dimensions: int) -> "Vectors":
        """No rows yet."""
        return cls(np.zeros((0, dimensions), np.float32), np.zeros(0))

    def put(self, numbers: Sequence[int], vectors: Floats) -> None:
        """The vectors ``[row, dimension]`` of some rows; one of length 0 has no direction and counts as none.

        Raises ``E_DIM_MISMATCH``.
        """
        self._compare(vectors)
        if max(numbers) >= len(self.lines):
            self._make_room(max(numbers))
        self.lines[numbers] = vectors
        self.lengths[numbers] = _lengths(vectors)

    def drop(self, number: int) -> None:
        """Another model serves the row from now on."""
        self.lengths[number] = np.nan

    def cosines(self, vector: Floats, rows: int) -> NDArray[np.float64]:
        """The cosine similarity of a question's vector with each of the first ``rows``; not a number for none.

        Makes room for rows that no vector has come for yet. Raises ``E_DIM_MISMATCH``.
        """
        self._compare(vector)
        if rows > len(self.lines):
            self._make_room(rows - 1)
        # Row by row: a product of matrix and vector would start threads that wait by spinning.
        return np.vecdot(self.lines[:rows], vector) / (self.lengths[:rows] * _lengths(vector))

    def _make_room(self, number: int) -> None:
        """Twice what is needed, so that rows that come one by one are seldom moved."""
        more = 2 * (number + 1) - len(self.lines)
        self.lines = np.concatenate([self.lines, np.zeros((more, self.lines.shape[1]), np.float32)])
        self.lengths = np.concatenate([self.lengths, np.full(more, np.nan)])

    def _compare(self, vectors: Floats) -> None:
        if vectors.shape[-1] != self.lines.shape[1]:
            raise mismatch("The embedding model's vectors had another length so far.")


def _lengths(vectors: Floats) -> NDArray[np.float64]:
    lengths = np.sqrt(np.vecdot(vectors, vectors, dtype=np.float64))
    return np.where(lengths > 0, lengths, np.nan)
