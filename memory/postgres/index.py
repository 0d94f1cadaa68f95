"""The recall index on PostgreSQL: one round trip finds, and everything in it can be derived again."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.documents.document import Document
from memory.embedding import dimension_mismatch_error
from memory.index import VectorCount
from memory.index_rows import UnembeddedRow, row_of_item, rows_of_event
from memory.memory_item import MemoryItem
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.failures import translate_length_mismatch
from memory.postgres.index_params import row_params, terms_params
from memory.postgres.replica import Replica
from memory.postgres.sections import index_documents
from memory.postgres.sessions import reindex_summaries
from memory.postgres.store_items import reindex_stored_memories
from memory.recall.past import memories_in, pass_as_of
from memory.recall.query import RecallPass, RecallQuery
from memory.recall.statement import RecallRow, recall_parameters, recall_pass
from memory.scope import Scope
from memory.turns import Event
from memory.versions import from_snapshot
from retrieval.wire import vector_text

PAGE = 500
_LOWEST_ID = UUID(int=0)


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

    async def most_used(self, scope: Scope, limit: int) -> dict[UUID, int]:
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("most_used", scope_params(scope) | {"limit": limit}, _UseCount)
        return {row.memory_id: row.uses for row in rows}


@dataclass(frozen=True, kw_only=True)
class LoggedTurn(Event):
    """A logged turn with the person whose it is."""

    user_id: UUID


@dataclass(frozen=True, kw_only=True)
class _LogPageRow(LoggedTurn):
    forgotten: bool


@dataclass(frozen=True)
class _UseCount:
    memory_id: UUID
    uses: int


@dataclass(frozen=True)
class _PastVersion:
    snapshot: dict[str, Any]


@dataclass(frozen=True)
class PostgresIndex(PostgresVectors):
    """The promises are those of the port."""

    corpora: CorpusCache = field(default_factory=CorpusCache)
    replica: Replica | None = None

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        corpus = await self.corpora.get_current(self.database, scope)
        found = await self._search(scope, query) if corpus is None else corpus.candidates(query)
        memories = memories_in(found) if query.as_of else []
        if not memories or query.as_of is None:
            return found
        return pass_as_of(found, await self._past_versions(scope, memories, query.as_of), query.as_of)

    async def _past_versions(self, scope: Scope, memories: Sequence[UUID], as_of: datetime) -> dict[UUID, MemoryItem]:
        """The memories as they stood at a moment; those that did not exist are absent."""
        params = scope_params(scope) | {"memory_ids": list(memories), "as_of": as_of}
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("versions_as_of", params, _PastVersion)
        return {item.memory_id: item for row in rows if (item := from_snapshot(row.snapshot))}

    async def _search(self, scope: Scope, query: RecallQuery) -> RecallPass:
        """By the statement, for those whose index is not kept: the one heavy read, which a copy may take over."""
        params, rows, source = recall_parameters(scope, query), None, "primary"
        if self.replica is not None:
            rows, source = await self.replica.fetch(scope, "recall", params, RecallRow)
        if rows is None:
            with translate_length_mismatch():
                async with self.database.scope_session(scope) as session:
                    rows = await session.fetch("recall", params, RecallRow)
        return replace(recall_pass(query, rows), read_from=source)

    async def rebuild(self, scope: Scope) -> int:
        async with self.database.transaction(scope) as session:
            session.execute("clear_index", scope_params(scope))
            turns = await _reindex_turns(session, scope)
            facts = await _reindex_items(session, scope)
            sections = await _reindex_documents(session, scope)
            summaries = await reindex_summaries(session, scope, PAGE)
            stored = await reindex_stored_memories(session, scope, PAGE)
            session.execute("count_uses", scope_params(scope))
        return turns + facts + sections + summaries + stored


async def index_cited_turns(session: DatabaseSession, scope: Scope, memory_id: UUID) -> None:
    """Make the turns of a restored memory findable again."""
    after, params = _LOWEST_ID, scope_params(scope) | {"memory_id": memory_id, "limit": PAGE}
    while turns := await session.fetch("cited_turns", params | {"after": after}, LoggedTurn):
        index_turns(session, scope, turns)
        after = turns[-1].event_id


def index_turns(session: DatabaseSession, scope: Scope, turns: Sequence[Event]) -> int:
    """Queue the statement that makes logged turns findable; how many rows they have."""
    rows = [row for event in turns for row in rows_of_event(scope, event)]
    if rows:
        session.execute("index_turns", scope_params(scope) | terms_params(rows))
    return len(rows)


async def _reindex_turns(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _LOWEST_ID
    while page := await session.fetch("log_page", scope_params(scope) | {"after": after, "limit": PAGE}, _LogPageRow):
        written += index_turns(session, scope, [turn for turn in page if not turn.forgotten])
        after = page[-1].event_id
    return written


async def _reindex_items(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _LOWEST_ID
    while page := await session.fetch("items_page", scope_params(scope) | {"after": after, "limit": PAGE}, MemoryItem):
        for item in page:
            session.execute("index_fact", scope_params(scope) | row_params(row_of_item(item, item.updated_at)))
        written, after = written + len(page), page[-1].memory_id
    return written


async def _reindex_documents(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _LOWEST_ID
    while page := await session.fetch(
        "documents_page", scope_params(scope) | {"after": after, "limit": PAGE}, Document
    ):
        written, after = written + index_documents(session, scope, page), page[-1].document_id
    return written


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
        "embeddings": [vector_text(vector) for vector in vectors],
    }
