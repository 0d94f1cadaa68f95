"""The recall port, in memory, by the same features as the SQL statement."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from memory.contracts import MemoryItem
from memory.embedding import dimension_mismatch_error
from memory.in_memory.store import InMemoryStore
from memory.index_rows import IndexRow, UnembeddedRow, to_unembedded
from memory.ports import VectorCount
from memory.recall.cache.corpus import candidates_of
from memory.recall.past import memories_in, pass_as_of
from memory.recall.query import NO_MODEL, RecallPass, RecallQuery
from memory.revision import from_snapshot
from memory.scope import Scope, Space

Staged = dict[UUID, tuple[str, tuple[float, ...]]]
"""Vectors of one coming model, each with the text that it was made of."""


@dataclass
class InMemoryIndex:
    """The recall port, by the same features as the SQL statement."""

    store: InMemoryStore
    staged: dict[tuple[Space, str], Staged] = field(default_factory=dict[tuple[Space, str], Staged])

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        if query.embedding is not None:
            self._require_same_length(scope, query.embedding_model, [query.embedding])
        found = candidates_of(self._rows(scope), query)
        if query.as_of is None:
            return found
        return pass_as_of(found, self._past_versions(scope, memories_in(found), query.as_of), query.as_of)

    def _past_versions(self, scope: Scope, memories: Sequence[UUID], as_of: datetime) -> dict[UUID, MemoryItem]:
        versions = self.store.compartment_of(scope).versions
        known = {each: [past for past in versions.get(each, []) if past.recorded_at <= as_of] for each in memories}
        return {each: from_snapshot(past[-1].snapshot) for each, past in known.items() if past}

    async def rows_without_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        if self._has_other_model(scope, model):
            return []
        return self._oldest_unembedded(scope, [row for row in self._rows(scope) if row.embedding is None], limit)

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        self._require_same_length(scope, model, vectors)
        if self._has_other_model(scope, model):
            return 0
        return sum(self._set_vector(scope, model, row, vector) for row, vector in zip(rows, vectors, strict=True))

    async def rows_without_staged_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        staged = self._staged_vectors(scope, model)
        rows = [
            row for row in self._rows(scope) if row.embedding_model != model and not _has_staged_vector(staged, row)
        ]
        return self._oldest_unembedded(scope, rows, limit)

    async def stage_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        self._require_same_length(scope, model, vectors)
        staged, before = self._staged_vectors(scope, model), len(self._staged_vectors(scope, model))
        staged.update({row.source_id: (row.text, tuple(each)) for row, each in zip(rows, vectors, strict=True)})
        return len(staged) - before

    async def switch_vectors(self, scope: Scope, model: str) -> int:
        staged, kept = self._staged_vectors(scope, model), self.store.compartment_of(scope).rows
        others = [row for row in kept.values() if row.embedding_model != model]
        for row in others:
            found = _has_staged_vector(staged, row)
            vector = staged[row.source_id][1] if found else None
            kept[row.source_id] = replace(row, embedding=vector, embedding_model=model if found else NO_MODEL)
        self.staged = {key: each for key, each in self.staged.items() if key[0] != scope.space}
        return sum(_has_staged_vector(staged, row) for row in others)

    async def vector_counts(self, scope: Scope) -> list[VectorCount]:
        live = Counter(row.embedding_model for row in self._rows(scope))
        staged = {model: len(each) for (space, model), each in self.staged.items() if space == scope.space and each}
        counts = [VectorCount(model=model, staged=False, rows=rows) for model, rows in live.items()]
        counts += [VectorCount(model=model, staged=True, rows=rows) for model, rows in staged.items()]
        return sorted(counts, key=lambda count: (count.model, count.staged))

    async def most_used(self, scope: Scope, limit: int) -> dict[UUID, int]:
        used = [row for row in self._rows(scope) if row.lane == "fact" and row.injected_count]
        most = sorted(used, key=lambda row: (-row.injected_count, row.source_id))[:limit]
        return {row.source_id: row.injected_count for row in most}

    async def rebuild(self, scope: Scope) -> int:
        return len(self.store.compartment_of(scope).rows)

    def _rows(self, scope: Scope) -> list[IndexRow]:
        return list(self.store.compartment_of(scope).rows.values())

    def _staged_vectors(self, scope: Scope, model: str) -> Staged:
        return self.staged.setdefault((scope.space, model), {})

    def _oldest_unembedded(self, scope: Scope, rows: Sequence[IndexRow], limit: int) -> list[UnembeddedRow]:
        """The oldest first, a fact with whom it is about."""
        items = self.store.compartment_of(scope).items
        oldest = sorted(rows, key=lambda row: (row.recorded_at, row.source_id))[:limit]
        return [to_unembedded(row, _subject(items.get(row.source_id))) for row in oldest]

    def _has_other_model(self, scope: Scope, model: str) -> bool:
        return any(row.embedding_model not in (NO_MODEL, model) for row in self._rows(scope))

    def _set_vector(self, scope: Scope, model: str, row: UnembeddedRow, vector: Sequence[float]) -> bool:
        kept = self.store.compartment_of(scope).rows
        held = kept.get(row.source_id)
        if held is None or held.embedding is not None or held.text != row.text:
            return False
        self._staged_vectors(scope, model).pop(row.source_id, None)
        kept[row.source_id] = replace(held, embedding=tuple(vector), embedding_model=model)
        return True

    def _require_same_length(self, scope: Scope, model: str, vectors: Sequence[Sequence[float]]) -> None:
        known = {len(row.embedding) for row in self._rows(scope) if row.embedding and row.embedding_model == model}
        known |= {len(vector) for _, vector in self._staged_vectors(scope, model).values()}
        if (known or {len(vectors[0])}) != {len(vector) for vector in vectors}:
            raise dimension_mismatch_error("The embedding model's vectors had another length so far.")


def _has_staged_vector(staged: Staged, row: IndexRow) -> bool:
    return row.source_id in staged and staged[row.source_id][0] == row.text


def _subject(about: MemoryItem | None) -> str:
    return about.subject if about else ""
