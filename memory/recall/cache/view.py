"""The rows that a question may see, in order of thread and position, with all that no question changes."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from memory.recall.cache.columns import Columns, Flags
from memory.recall.query import CorpusStats
from memory.recall.weights import TURN_GAP
from retrieval.postings import Ints, Places
from retrieval.scores import Numbers, mean_length, saturation

NEIGHBOURS = (-1, -2, 1, 2)
"""The neighbours of a row: so many turns back and on, as ``before``, ``before_2``, ``after``, ``after_2``."""
BEFORE, _, AFTER, _ = range(len(NEIGHBOURS))


@dataclass(frozen=True, kw_only=True)
class View:
    """``numbers`` are the rows, ``place`` by row number where each stands among them, -1 for one that is not seen.

    Several rows may be passages of one turn: ``turn`` is the number of each row's turn, ``firsts`` the place of each
    turn's first row, ``opens`` whether a row begins its turn. ``saturation`` is what BM25 divides a row's points by,
    ``neighbours[i, n]`` whether the n-th turn has the i-th of ``NEIGHBOURS``; ``replies``, ``replied`` and ``asked``
    are of rows, as in ``Features``.
    """

    seen: Flags
    numbers: Places
    place: Ints
    turn: Places
    firsts: Places
    opens: Flags
    stats: CorpusStats
    saturation: Numbers
    neighbours: Flags
    replies: Flags
    replied: Flags
    asked: Flags

    @classmethod
    def of(cls, rows: Columns, seen: Flags) -> Self:
        """Of the rows that are still there, those that are seen."""
        numbers = rows.in_order[seen[rows.in_order]]
        place = np.full(len(rows), -1, np.int32)
        place[numbers] = np.arange(len(numbers))
        lengths = rows["length"][numbers]
        thread, position = rows["thread"][numbers], rows["position"][numbers]
        begins = (thread != shift(thread, -1, -1)) | (position != shift(position, -1, -1))
        turn, firsts = begins.cumsum() - 1, begins.nonzero()[0]
        neighbours = _neighbour_mask(thread[firsts], position[firsts])
        speaker, asks = rows["speaker"][numbers[firsts]], np.logical_or.reduceat(rows["asks"][numbers], firsts)
        others = neighbours[BEFORE] & (speaker != shift(speaker, -1))
        return cls(
            seen=seen,
            numbers=numbers,
            place=place,
            turn=turn,
            firsts=firsts,
            opens=rows["start"][numbers] == 0,
            stats=CorpusStats(rows=len(numbers), mean_length=mean_length(lengths)),
            saturation=saturation(lengths),
            neighbours=neighbours,
            replies=others[turn],
            replied=shift(others, 1)[turn],
            asked=(neighbours[BEFORE] & shift(asks, -1))[turn],
        )

    @property
    def rows(self) -> int:
        """How many are seen."""
        return len(self.numbers)


def _neighbour_mask(thread: NDArray[np.int32], position: NDArray[np.int32]) -> Flags:
    """By neighbour and turn, whether it is of the turn's own thread and near enough."""
    return np.stack([
        (thread == shift(thread, by, -1)) & (np.abs(position - shift(position, by)) <= TURN_GAP * abs(by))
        for by in NEIGHBOURS
    ])  # fmt: skip


def shift(column: NDArray[Any], by: int, beyond: int = 0) -> NDArray[Any]:
    """What each row finds so many places further on, or back; ``beyond`` where there is no such place."""
    found = np.full(len(column), beyond, column.dtype)
    if by < 0:
        found[-by:] = column[:by]
    else:
        found[:-by] = column[by:]
    return found
