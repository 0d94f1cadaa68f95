"""Sessions on PostgreSQL: a block is kept, indexed and its names noted in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.paging import Cursor, cursor_params
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.document_changes import lock_documents
from memory.postgres.event_json import event_from_json
from memory.postgres.index_params import row_params
from memory.scope import Scope
from memory.sessions import (
    MAX_TURN_CHARACTERS,
    SessionInfo,
    SessionStatus,
    Summary,
    SummaryDraft,
    SummaryTurn,
    Tail,
    UnsettledSession,
    row_of_summary,
    summary_of,
)


@dataclass(frozen=True)
class _TailRow:
    status: SessionStatus
    entity_slots: dict[str, str]
    block: int
    withdrawn: list[int]
    events: list[dict[str, Any]]


@dataclass(frozen=True)
class _SavedBlock:
    block: int
    withdrawn: bool


@dataclass(frozen=True)
class _SessionId:
    session_id: UUID


@dataclass(frozen=True, kw_only=True)
class SummaryRow(Summary):
    """A block and who is in its row."""

    user_id: UUID


@dataclass(frozen=True)
class PostgresSessions:
    """The promises are those of the port."""

    database: Database

    async def tail(self, scope: Scope, session_id: UUID, limit: int) -> Tail | None:
        params = _session_params(scope, session_id) | {"limit": limit, "longest": MAX_TURN_CHARACTERS}
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("session_tail", params, _TailRow)
        return _tail_from_row(row) if row else None

    async def save_summary(self, scope: Scope, draft: SummaryDraft, at: datetime) -> bool:
        summary = summary_of(draft, at)
        async with self.database.transaction(scope) as session:
            await lock_documents(session, scope)
            saved = await session.fetch_one("save_summary", scope_params(scope) | _summary_params(summary), _SavedBlock)
            if saved is None or saved.withdrawn:
                return saved is not None
            index_summary(session, scope, summary, scope.user_id)
            if draft.entity_slots:
                slots = {"entity_slots": Jsonb(dict(draft.entity_slots))}
                session.execute("add_slots", _session_params(scope, draft.session_id) | slots)
        return True

    async def summaries(self, scope: Scope, session_id: UUID, limit: int = 100) -> list[Summary]:
        params = _session_params(scope, session_id) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("summaries_of_session", params, Summary)

    async def find(self, scope: Scope, summary_ids: Sequence[UUID]) -> list[Summary]:
        params = scope_params(scope) | {"summary_ids": list(summary_ids)}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("summaries_by_id", params, Summary)

    async def list_covered_turns(self, scope: Scope, session_id: UUID, block: int) -> list[SummaryTurn]:
        params = _session_params(scope, session_id) | {"block": block, "longest": MAX_TURN_CHARACTERS}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("covered_turns", params, SummaryTurn)

    async def reword(self, scope: Scope, draft: SummaryDraft) -> bool:
        words = {"block": draft.block, "text": draft.text, "sources": list(draft.sources)}
        async with self.database.transaction(scope) as session:
            await lock_documents(session, scope)
            found = await session.fetch("reword_summary", _session_params(scope, draft.session_id) | words, Summary)
            for summary in found:
                index_summary(session, scope, summary, scope.user_id)
        return bool(found)

    async def list_newest(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[SessionInfo]:
        params = scope_params(scope) | cursor_params(after) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("newest_sessions", params, SessionInfo)

    async def list_unsettled(self, scope: Scope, at: datetime, limit: int = 50) -> list[UnsettledSession]:
        params = scope_params(scope) | {"at": at, "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("unsettled_sessions", params, UnsettledSession)

    async def expire(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        async with self.database.scope_session(scope) as session:
            return bool(
                await session.fetch("expire_session", _session_params(scope, session_id) | {"at": at}, _SessionId)
            )


def index_summary(session: DatabaseSession, scope: Scope, summary: Summary, user_id: UUID) -> None:
    """Make a block findable, unless it has nothing to say."""
    if not summary.text or summary.withdrawn:
        return
    session.execute("index_summary", scope_params(scope) | row_params(row_of_summary(summary, user_id)))


async def reindex_summaries(session: DatabaseSession, scope: Scope, page: int) -> int:
    """Derive the rows of all blocks again; how many there are."""
    written, after = 0, (UUID(int=0), -1)
    while found := await _fetch_page(session, scope, after, page):
        for each in found:
            index_summary(session, scope, each, each.user_id)
        written += sum(bool(each.text) and not each.withdrawn for each in found)
        after = (found[-1].session_id, found[-1].block)
    return written


async def _fetch_page(
    session: DatabaseSession, scope: Scope, after: tuple[UUID, int], limit: int
) -> Sequence[SummaryRow]:
    place = {"after_session": after[0], "after_block": after[1], "limit": limit}
    return await session.fetch("summaries_page", scope_params(scope) | place, SummaryRow)


def _session_params(scope: Scope, session_id: UUID) -> dict[str, object]:
    return scope_params(scope) | {"session_id": session_id}


def _summary_params(summary: Summary) -> dict[str, object]:
    return {**asdict(summary), "sources": list(summary.sources)}


def _tail_from_row(row: _TailRow) -> Tail:
    return Tail(
        block=row.block,
        status=row.status,
        events=tuple(_turn_from_json(each) for each in row.events),
        entity_slots=row.entity_slots,
        withdrawn=tuple(row.withdrawn),
    )


def _turn_from_json(data: dict[str, Any]) -> SummaryTurn:
    return SummaryTurn(**vars(event_from_json(data)), quotable=data["quotable"])
