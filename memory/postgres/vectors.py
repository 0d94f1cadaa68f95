"""The vectors of the recall index on PostgreSQL: filled in behind the conversation, replaced beside it."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from memory.embedding import mismatch
from memory.errors import BrainError
from memory.index_rows import Unembedded
from memory.ports import VectorCount
from memory.postgres.database import Database, of_scope
from memory.postgres.session import Session
from memory.scope import Scope


@dataclass(frozen=True)
class _Dimensions:
    dimensions: int


@dataclass(frozen=True)
class _Count:
    rows: int


@dataclass(frozen=True)
class PostgresVectors:
    """The promises are those of the port."""

    database: Database

    async def without_vector(self, scope: Scope, model: str, limit: int) -> list[Unembedded]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("rows_without_vector", _of_model(scope, model) | {"limit": limit}, Unembedded)

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[Unembedded], vectors: Sequence[Sequence[float]]
    ) -> int:
        params = _of_model(scope, model) | _of_vectors(rows, vectors)
        async with self.database.transaction(scope) as session:
            await _lock_and_compare(session, params, vectors)
            session.execute("unstage_vectors", params)
            return await _count(session, "save_vectors", params)

    async def without_staged_vector(self, scope: Scope, model: str, limit: int) -> list[Unembedded]:
        params = _of_model(scope, model) | {"limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("rows_without_staged_vector", params, Unembedded)

    async def stage_vectors(
        self, scope: Scope, model: str, rows: Sequence[Unembedded], vectors: Sequence[Sequence[float]]
    ) -> int:
        params = _of_model(scope, model) | _of_vectors(rows, vectors)
        async with self.database.transaction(scope) as session:
            await _lock_and_compare(session, params, vectors)
            return await _count(session, "stage_vectors", params)

    async def switch_vectors(self, scope: Scope, model: str) -> int:
        params = _of_model(scope, model)
        async with self.database.transaction(scope) as session:
            session.execute("lock_vectors", params)
            session.execute("join_by_hash")
            return await _count(session, "switch_vectors", params)

    async def vector_counts(self, scope: Scope) -> list[VectorCount]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("vector_counts", of_scope(scope), VectorCount)


@contextmanager
def lengths_compared() -> Generator[None]:
    """A question's vector of another length than the stored ones has its own code, so that words can answer instead."""
    try:
        yield
    except BrainError as error:
        if "different halfvec dimensions" not in str(error.__cause__):
            raise
        raise mismatch("The question's vector has another length than the stored ones of its model.") from error


async def _lock_and_compare(session: Session, params: dict[str, object], vectors: Sequence[Sequence[float]]) -> None:
    session.execute("lock_vectors", params)
    known = await session.fetch_one("vector_dimensions", params, _Dimensions)
    dimensions = known.dimensions if known else len(vectors[0])
    if any(len(vector) != dimensions for vector in vectors):
        raise mismatch(f"The embedding model's vectors had {dimensions} dimensions so far, and now have not.")


async def _count(session: Session, statement: str, params: dict[str, object]) -> int:
    counted = await session.fetch_one(statement, params, _Count)
    return counted.rows if counted else 0


def _of_model(scope: Scope, model: str) -> dict[str, object]:
    return of_scope(scope) | {"embedding_model": model}


def _of_vectors(rows: Sequence[Unembedded], vectors: Sequence[Sequence[float]]) -> dict[str, object]:
    return {
        "source_ids": [row.source_id for row in rows],
        "lanes": [row.lane for row in rows],
        "texts": [row.text for row in rows],
        "embeddings": [f"[{','.join(map(str, vector))}]" for vector in vectors],
    }
