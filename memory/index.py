"""The port of the recall index, and which models its vectors are of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from memory.index_rows import UnembeddedRow
from memory.recall.query import RecallPass, RecallQuery
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class VectorCount:
    """So many rows have a vector of this model (``none``: they wait for one); staged ones are not read yet."""

    model: str
    staged: bool
    rows: int


class RecallIndex(Protocol):
    """The derived index over everything that can be found again."""

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        """One retrieval pass over one person's rows. One round trip; two while a long index is being read in."""
        ...

    async def rows_without_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        """Rows that wait for a vector of this model, oldest first; none while another model serves this person."""
        ...

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        """Give rows their vectors; returns how many took one: a row that changed meanwhile goes on waiting.

        Raises ``E_DIM_MISMATCH`` when the model's vectors had another length before.
        """
        ...

    async def rows_without_staged_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        """Rows that a coming model has not read yet, oldest first."""
        ...

    async def stage_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        """Lay vectors of a coming model beside rows that are read as before; like ``save_vectors`` otherwise."""
        ...

    async def switch_vectors(self, scope: Scope, model: str) -> int:
        """Serve this person by another model from now on, all rows at once; rows that it has not read yet wait.

        Returns how many rows it serves by this.
        """
        ...

    async def vector_counts(self, scope: Scope) -> list[VectorCount]:
        """Which models serve how many of this person's rows, by the model's name."""
        ...

    async def most_used(self, scope: Scope, limit: int) -> dict[UUID, int]:
        """How often each memory was shown and reacted to since it says what it says, the most first."""
        ...

    async def rebuild(self, scope: Scope) -> int:
        """Derive this person's index again from log, memories, documents and summaries; returns the rows written."""
        ...
