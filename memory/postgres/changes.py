"""What has changed in a scope's recall index since a snapshot, read under the same row-level security as all else."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.frozen import frozen
from memory.index_rows import Searchable
from memory.postgres.database import Database
from memory.ranking.corpus import Entry
from memory.ranking.statement import whose
from memory.scope import Scope

NEVER = "1:1:"
"""The snapshot that has seen nothing."""

_ARRAY_HEADER, _VECTOR_HEADER = 20, 4
_SHOWN = tuple(field.name for field in fields(Searchable))


@dataclass(frozen=True)
class _Snapshot:
    snapshot: str
    anew: bool


@dataclass(frozen=True, kw_only=True)
class _ChangedRow(Searchable):
    """A row with its arrays as the server sends them."""

    words: bytes
    grams: bytes
    length: int
    embedding_model: str
    embedding: bytes | None


@dataclass(frozen=True)
class Changes:
    """Rows written since, and what the reading saw; ``anew``: what was seen before must be forgotten first."""

    snapshot: str
    anew: bool
    entries: list[Entry]


async def changes(database: Database, scope: Scope, since: str, most: int) -> Changes:
    """Up to ``most`` rows that a snapshot did not see as they are now. One round trip.

    The snapshot is taken before the rows are read: what is written in between is read twice, never missed.
    """
    params = whose(scope) | {"since": since}
    async with database.scoped(scope) as session:
        snapshot = session.ask("recall_snapshot", params, _Snapshot)
        rows = await session.fetch("recall_changes", params | {"most": most}, _ChangedRow)
    [seen] = snapshot.rows
    return Changes(seen.snapshot, seen.anew, [_entry(row) for row in rows])


def _entry(row: _ChangedRow) -> Entry:
    values = vars(row)
    return Entry(
        row=frozen(Searchable, {name: values[name] for name in _SHOWN}),
        words=_ints(row.words),
        grams=_ints(row.grams),
        length=row.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else _halves(row.embedding),
    )


def _ints(sent: bytes) -> NDArray[np.int32]:
    """An integer array as ``array_send`` spells it: a header, then each number behind its length."""
    return np.frombuffer(sent, ">i4", offset=min(_ARRAY_HEADER, len(sent)))[1::2].astype(np.int32)


def _halves(sent: bytes) -> NDArray[Any]:
    """A vector as ``halfvec_send`` spells it: a header, then half-precision numbers."""
    return np.frombuffer(sent, ">f2", offset=_VECTOR_HEADER).astype(np.float32)
