"""The vectors of the recall index on PostgreSQL: filled in behind the conversation, replaced beside it."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from memory.embedding import dimension_mismatch_error
from memory.errors import BrainError
from memory.index_rows import UnembeddedRow
from memory.ports import VectorCount
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession
from memory.scope import Scope


@dataclass(frozen=True)
class _Dimensions:
    dimensions: int


@dataclass(frozen=True)
class _RowCount:
    rows: int


@dataclass(frozen=True)
class PostgresVectors:
    """The promises are those of the port."""

    database: Database

    async def rows_without_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "rows_without_vector", _model_params(scope, model) | {"limit": limit}, UnembeddedRow
            )

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        params = _model_params(scope, model) | _vector_params(rows, vectors)
        async with self.database.transaction(scope) as session:
            await _lock_and_compare(session, params, vectors)
            session.execute("unstage_vectors", params)
            return await _fetch_count(session, "save_vectors", params)

    async def rows_without_staged_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        params = _model_params(scope, model) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("rows_without_staged_vector", params, UnembeddedRow)

    async def stage_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        params = _model_params(scope, model) | _vector_params(rows, vectors)
        async with self.database.transaction(scope) as session:
            await _lock_and_compare(session, params, vectors)
            return await _fetch_count(session, "stage_vectors", params)

    async def switch_vectors(self, scope: Scope, model: str) -> int:
        params = _model_params(scope, model)
        async with self.database.transaction(scope) as session:
            session.execute("lock_vectors", params)
            session.execute("join_by_hash")
            return await _fetch_count(session, "switch_vectors", params)

    async def vector_counts(self, scope: Scope) -> list[VectorCount]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("vector_counts", scope_params(scope), VectorCount)


@contextmanager
def translate_length_mismatch() -> Generator[None]:
    """A question's vector of another length than the stored ones has its own code, so that words can answer instead."""
    try:
        yield
    except BrainError as error:
        if "different halfvec dimensions" not in str(error.__cause__):
            raise
        raise dimension_mismatch_error(
            "The question's vector has another length than the stored ones of its model."
        ) from error


async def _lock_and_compare(
    session: DatabaseSession, params: dict[str, object], vectors: Sequence[Sequence[float]]
) -> None:
    session.execute("lock_vectors", params)
    known = await session.fetch_one("vector_dimensions", params, _Dimensions)
    dimensions = known.dimensions if known else len(vectors[0])
    if any(len(vector) != dimensions for vector in vectors):
        raise dimension_mismatch_error(
            f"The embedding model's vectors had {dimensions} dimensions so far, and now have not."
        )


async def _fetch_count(session: DatabaseSession, statement: str, params: dict[str, object]) -> int:
    counted = await session.fetch_one(statement, params, _RowCount)
    return counted.rows if counted else 0


def _model_params(scope: Scope, model: str) -> dict[str, object]:
    return scope_params(scope) | {"embedding_model": model}


def _vector_params(rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]) -> dict[str, object]:
    return {
        "source_ids": [row.source_id for row in rows],
        "lanes": [row.lane for row in rows],
        "texts": [row.text for row in rows],
        "embeddings": [f"[{','.join(map(str, vector))}]" for vector in vectors],
    }
