"""What has changed in a scope's recall index since a snapshot, read under the same row-level security as all else."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.frozen_dataclass import build_frozen
from memory.index_rows import Searchable
from memory.postgres.database import Database
from memory.recall.cache.corpus import CorpusEntry
from memory.recall.statement import owner_range_params
from memory.scope import Scope

PAGE = 300
"""Rows that are read at a time: some ten milliseconds of this process."""
NEVER = "1:1:"
"""The snapshot that has seen nothing."""

_LOWEST = UUID(int=0)
_ARRAY_HEADER, _VECTOR_HEADER = 20, 4
_SHOWN = tuple(field.name for field in fields(Searchable))


@dataclass(frozen=True)
class Bookmark:
    """The last row of a page: who wrote it, and its id."""

    writer: str = "0"
    source: UUID = _LOWEST


@dataclass(frozen=True)
class ReadPosition:
    """How far a scope's rows have been read.

    All that snapshot ``since`` sees has been. ``begun``, if not None, is the snapshot at which the reading of what came
    after it began, and ``after`` is how far that one got.
    """

    since: str = NEVER
    begun: str | None = None
    after: Bookmark = Bookmark()

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be read but what was written in the meantime."""
        return self.begun is None and self.since != NEVER


@dataclass(frozen=True, kw_only=True)
class _ChangedRow(Searchable):
    """A row of the ``recall_changes`` statement with its arrays as the server sends them.

    The first row tells of the reading (``snapshot``, ``earlier``, ``removed``), the others are the rows. What a row
    does not tell is None, whatever its type says.
    """

    snapshot: str
    earlier: bool
    removed: list[UUID]
    written_by: str
    words: bytes
    grams: bytes
    length: int
    embedding_model: str
    embedding: bytes | None


@dataclass(frozen=True)
class IndexChanges:
    """What was taken away, the next page of rows, and how far the reading is after it.

    ``anew``: so much has changed that all must be read again.
    """

    reading: ReadPosition
    removed: Sequence[UUID] = ()
    entries: Sequence[CorpusEntry] = ()
    anew: bool = False


async def read_changes(database: Database, scope: Scope, reading: ReadPosition, page: int = PAGE) -> IndexChanges:
    """Read on: up to a ``page`` of rows that were not seen as they are now. One round trip.

    The snapshot is taken before the rows are read: what is written in between is read twice, never missed.
    """
    seen = reading.begun or reading.since
    how_far = {"since": reading.since, "seen": seen, "page": page}
    after = {"after_writer": reading.after.writer, "after_source": reading.after.source}
    params = owner_range_params(scope) | {"user_id": scope.user_id} | how_far | after
    async with database.anonymous_session() as session:
        now, *rows = await session.fetch("recall_changes", params, _ChangedRow)
    removed = now.removed if seen != NEVER else []
    if now.earlier or len(removed) == page:
        return IndexChanges(ReadPosition(), anew=True)
    begun = reading.begun or now.snapshot
    last = Bookmark(rows[-1].written_by, rows[-1].source_id) if len(rows) == page else None
    then = ReadPosition(begun) if last is None else ReadPosition(reading.since, begun, last)
    return IndexChanges(then, removed, [_entry(row) for row in rows])


def _entry(row: _ChangedRow) -> CorpusEntry:
    values = vars(row)
    return CorpusEntry(
        row=build_frozen(Searchable, {name: values[name] for name in _SHOWN}),
        words=_decode_ints(row.words),
        grams=_decode_ints(row.grams),
        length=row.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else _decode_halves(row.embedding),
    )


def _decode_ints(sent: bytes) -> NDArray[np.int32]:
    """An integer array as ``array_send`` spells it: a header, then each number behind its length."""
    return np.frombuffer(sent, ">i4", offset=min(_ARRAY_HEADER, len(sent)))[1::2].astype(np.int32)


def _decode_halves(sent: bytes) -> NDArray[Any]:
    """A vector as ``halfvec_send`` spells it: a header, then half-precision numbers."""
    return np.frombuffer(sent, ">f2", offset=_VECTOR_HEADER).astype(np.float32)
