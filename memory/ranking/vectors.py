"""The vectors of one embedding model in a matrix, so that a question is compared with all of them at once."""

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

    def put(self, number: int, vector: Floats) -> None:
        """The vector of a row; one of length 0 has no direction and counts as none. Raises ``E_DIM_MISMATCH``."""
        self._compare(vector)
        if number >= len(self.lines):
            self._make_room(number)
        self.lines[number] = vector
        self.lengths[number] = _length(vector)

    def drop(self, number: int) -> None:
        """Another model serves the row from now on."""
        self.lengths[number] = np.nan

    def cosines(self, vector: Floats, rows: int) -> NDArray[np.float64]:
        """The cosine similarity of a question's vector with each of the first ``rows``; not a number for none.

        Raises ``E_DIM_MISMATCH``.
        """
        self._compare(vector)
        found, known = np.full(rows, np.nan), min(rows, len(self.lines))
        found[:known] = (self.lines[:known] @ vector) / (self.lengths[:known] * _length(vector))
        return found

    def _make_room(self, number: int) -> None:
        """Twice what is needed, so that rows that come one by one are seldom moved."""
        more = 2 * (number + 1) - len(self.lines)
        self.lines = np.concatenate([self.lines, np.zeros((more, self.lines.shape[1]), np.float32)])
        self.lengths = np.concatenate([self.lengths, np.full(more, np.nan)])

    def _compare(self, vector: Floats) -> None:
        if len(vector) != self.lines.shape[1]:
            raise mismatch("The embedding model's vectors had another length so far.")


def _length(vector: Floats) -> float:
    return float(np.linalg.norm(vector)) or np.nan
