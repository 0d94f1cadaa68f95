"""The recall port, by the same features as the SQL statement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.errors import BrainError
from memory.in_memory.shelf import Shelf
from memory.index_rows import IndexRow, Unembedded
from memory.ranking.features import candidates_of
from memory.recall_query import RecallPass, RecallQuery
from memory.scope import Scope


@dataclass
class InMemoryIndex:
    """The recall port, by the same features as the SQL statement."""

    shelf: Shelf

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        return candidates_of(list(self.shelf.of(scope).rows.values()), query)

    async def without_vector(self, scope: Scope, limit: int) -> list[Unembedded]:
        waiting = [row for row in self.shelf.of(scope).rows.values() if row.embedding is None]
        return [_unembedded(row) for row in sorted(waiting, key=lambda row: row.recorded_at)[:limit]]

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[Unembedded], vectors: Sequence[Sequence[float]]
    ) -> None:
        kept = self.shelf.of(scope).rows
        lengths = {len(row.embedding) for row in kept.values() if row.embedding and row.embedding_model == model}
        if (lengths or {len(vectors[0])}) != {len(vector) for vector in vectors}:
            raise BrainError("E_DIM_MISMATCH", "The embedding model's vectors had another length so far.")
        for row, vector in zip(rows, vectors, strict=True):
            kept[row.source_id] = replace(kept[row.source_id], embedding=tuple(vector), embedding_model=model)

    async def rebuild(self, scope: Scope) -> int:
        return len(self.shelf.of(scope).rows)


def _unembedded(row: IndexRow) -> Unembedded:
    return Unembedded(
        source_id=row.source_id, lane=row.lane, speaker=row.speaker, text=row.text, observed_at=row.observed_at
    )
