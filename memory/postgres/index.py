"""The recall index on PostgreSQL: one round trip finds, and everything in it can be derived again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memory.contracts import Event, MemoryItem
from memory.documents.document import Document
from memory.index_rows import row_of_item, rows_of_event
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.index_params import row_params, terms_params
from memory.postgres.sections import index_documents
from memory.postgres.sessions import reindex_summaries
from memory.postgres.vectors import PostgresVectors, translate_length_mismatch
from memory.recall.query import RecallPass, RecallQuery
from memory.recall.statement import RecallRow, recall_parameters, recall_pass
from memory.scope import Scope

PAGE = 500
_FIRST = UUID(int=0)


@dataclass(frozen=True, kw_only=True)
class LoggedTurn(Event):
    """A logged turn with the person whose it is."""

    user_id: UUID


@dataclass(frozen=True, kw_only=True)
class _LogPageRow(LoggedTurn):
    forgotten: bool


@dataclass(frozen=True)
class PostgresIndex(PostgresVectors):
    """The promises are those of the port."""

    corpora: CorpusCache = field(default_factory=CorpusCache)

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        corpus = await self.corpora.get_current(self.database, scope)
        return await self._search(scope, query) if corpus is None else corpus.candidates(query)

    async def _search(self, scope: Scope, query: RecallQuery) -> RecallPass:
        """By the statement, for those whose index is not kept."""
        with translate_length_mismatch():
            async with self.database.scope_session(scope) as session:
                rows = await session.fetch("recall", recall_parameters(scope, query), RecallRow)
        return recall_pass(query, rows)

    async def rebuild(self, scope: Scope) -> int:
        async with self.database.transaction(scope) as session:
            session.execute("clear_index", scope_params(scope))
            turns = await _reindex_turns(session, scope)
            facts = await _reindex_items(session, scope)
            sections = await _reindex_documents(session, scope)
            summaries = await reindex_summaries(session, scope, PAGE)
            session.execute("count_uses", scope_params(scope))
        return turns + facts + sections + summaries


async def index_cited_turns(session: DatabaseSession, scope: Scope, memory_id: UUID) -> None:
    """Make the turns of a restored memory findable again."""
    turns = await session.fetch("cited_turns", scope_params(scope) | {"memory_id": memory_id}, LoggedTurn)
    index_turns(session, scope, turns)


def index_turns(session: DatabaseSession, scope: Scope, turns: Sequence[Event]) -> int:
    """Queue the statement that makes logged turns findable; how many rows they have."""
    rows = [row for event in turns for row in rows_of_event(scope, event)]
    if rows:
        session.execute("index_turns", scope_params(scope) | terms_params(rows))
    return len(rows)


async def _reindex_turns(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _FIRST
    while page := await session.fetch("log_page", scope_params(scope) | {"after": after, "limit": PAGE}, _LogPageRow):
        written += index_turns(session, scope, [turn for turn in page if not turn.forgotten])
        after = page[-1].event_id
    return written


async def _reindex_items(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _FIRST
    while page := await session.fetch("items_page", scope_params(scope) | {"after": after, "limit": PAGE}, MemoryItem):
        for item in page:
            session.execute("index_fact", scope_params(scope) | row_params(row_of_item(item, item.updated_at)))
        written, after = written + len(page), page[-1].memory_id
    return written


async def _reindex_documents(session: DatabaseSession, scope: Scope) -> int:
    written, after = 0, _FIRST
    while page := await session.fetch(
        "documents_page", scope_params(scope) | {"after": after, "limit": PAGE}, Document
    ):
        written, after = written + index_documents(session, scope, page), page[-1].document_id
    return written
