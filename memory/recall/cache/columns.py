"""The columns of cached rows that decide whether a row may be seen and where it stands."""

from bisect import bisect
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.index_rows import Searchable
from retrieval.postings import Places

Flags = NDArray[np.bool_]
Name = str | bytes
_Place = tuple[bytes, int, int, int]
"""Where a row stands, and its number."""

_KINDS = {
    "active": np.bool_,
    "verified": np.bool_,
    "fact": np.bool_,
    "asks": np.bool_,
    "observed": np.float64,
    "begins": np.float64,
    "ends": np.float64,
    "recorded": np.float64,
    "retired": np.float64,
    "confidence": np.float64,
    "lane": np.int32,
    "category": np.int32,
    "speaker": np.int32,
    "session": np.int32,
    "thread": np.int32,
    "position": np.int32,
    "start": np.int32,
    "length": np.int32,
}
_NEVER = np.inf
_MIN_ROWS = 8
"""Rows up to which putting each in its place is quicker than sorting all."""


class Columns:
    """Each column by row number. Times are seconds since 1970, names are codes: equal names have equal ones."""

    def __init__(self) -> None:
        self._of_name = {name: np.empty(0, kind) for name, kind in _KINDS.items()}
        self._codes: dict[Name, int] = {}
        self._asking: dict[str, list[int]] = {}
        self._places: list[_Place] = []
        self.in_order: Places = np.empty(0, np.intp)
        """The numbers of all rows that are still there, by thread, position and place in the turn."""

    def __len__(self) -> int:
        return len(self["active"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._of_name[name]

    def add(self, rows: Sequence[Searchable], lengths: Sequence[int]) -> None:
        """Further rows, and how many words each has."""
        first, lines = len(self), [self._column_values(row, length) for row, length in zip(rows, lengths, strict=True)]
        for (name, kind), values in zip(_KINDS.items(), zip(*lines, strict=True), strict=True):
            self._of_name[name] = np.concatenate([self._of_name[name], np.array(values, kind)])
        self._put_in_order([(*sort_key(row), number) for number, row in enumerate(rows, first)])
        for number, row in enumerate(rows, first):
            if row.lane == "turn" and is_question(row):
                self._asking.setdefault(row.text, []).append(number)

    def remove(self, numbers: Collection[int]) -> None:
        """Rows that are no longer in order; their numbers are not given again."""
        if numbers:
            gone = set(numbers)
            self._places = [each for each in self._places if each[-1] not in gone]
            self._asking = {
                text: [each for each in asking if each not in gone] for text, asking in self._asking.items()
            }
            self._number_in_order()

    def renew(self, number: int, row: Searchable) -> None:
        """The row as it stands now; its words, and so their number, never change."""
        for name, value in zip(_KINDS, self._column_values(row, self["length"][number]), strict=True):
            self._of_name[name][number] = value

    def name_mask(self, column: str, names: Iterable[Name]) -> Flags:
        """Which rows have one of these names."""
        return np.isin(self[column], [self._codes.get(name, -1) for name in names])

    def same_question(self, text: str) -> list[int]:
        """Turns that asked in the very same words."""
        return self._asking.get(text, [])

    def _put_in_order(self, places: Sequence[_Place]) -> None:
        """A few rows, as each turn brings them, are put between the others; many are sorted among them."""
        if len(places) > _MIN_ROWS:
            self._places = sorted([*self._places, *places])
            self._number_in_order()
            return
        for each in places:
            at = bisect(self._places, each)
            self._places.insert(at, each)
            self.in_order = np.insert(self.in_order, at, each[-1])

    def _number_in_order(self) -> None:
        self.in_order = np.fromiter((each[-1] for each in self._places), np.intp, len(self._places))

    def _column_values(self, row: Searchable, length: int) -> tuple[float, ...]:
        thread, position, start = sort_key(row)
        names = (row.lane, row.category, row.speaker, session_key(row.session_id), thread)
        times = (row.observed_at, row.valid_at, row.invalid_at, row.recorded_at, row.retired_at)
        flags = (row.active, row.verified, row.lane == "fact", is_question(row))
        return (*flags, *map(seconds, times), row.confidence, *map(self._code, names), position, start, length)

    def _code(self, name: Name) -> int:
        return self._codes.setdefault(name, len(self._codes))


def seconds(at: datetime | None) -> float:
    """Since 1970; what has no end never ends."""
    return _NEVER if at is None else at.timestamp()


def session_key(session_id: UUID | None) -> bytes:
    """A session by which rows are told apart."""
    return b"" if session_id is None else session_id.bytes


def sort_key(row: Searchable) -> tuple[bytes, int, int]:
    """The thread, the position in it and where in the turn; what has no position is a thread of its own."""
    if row.position is None:
        return row.source_id.bytes, 0, 0
    return session_key(row.session_id or row.source_id), row.position, row.span_start or 0


def is_question(row: Searchable) -> bool:
    """Whether the next turn is read as its answer."""
    return "?" in row.text or "？" in row.text
