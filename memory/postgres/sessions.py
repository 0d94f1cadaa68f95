"""Sessions on PostgreSQL: a block is kept, indexed and its names noted in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.postgres.database import Database, of_scope
from memory.postgres.document_changes import lock
from memory.postgres.index_params import row_params
from memory.postgres.logged import event_of
from memory.postgres.session import Session
from memory.scope import Scope
from memory.sessions import (
    LONGEST_TURN,
    SessionInfo,
    SessionStatus,
    Summary,
    SummaryDraft,
    Tail,
    Turn,
    Unsettled,
    row_of_summary,
    summary_of,
)


@dataclass(frozen=True)
class _Tail:
    status: SessionStatus
    entity_slots: dict[str, str]
    block: int
    withdrawn: list[int]
    events: list[dict[str, Any]]


@dataclass(frozen=True)
class _Saved:
    block: int
    withdrawn: bool


@dataclass(frozen=True)
class _Known:
    session_id: UUID


@dataclass(frozen=True, kw_only=True)
class OwnedSummary(Summary):
    """A block and who is in its row."""

    user_id: UUID


@dataclass(frozen=True)
class PostgresSessions:
    """The promises are those of the port."""

    database: Database

    async def tail(self, scope: Scope, session_id: UUID, limit: int) -> Tail | None:
        params = _of_session(scope, session_id) | {"limit": limit, "longest": LONGEST_TURN}
        async with self.database.scoped(scope) as session:
            row = await session.fetch_one("session_tail", params, _Tail)
        return _tail(row) if row else None

    async def save_summary(self, scope: Scope, draft: SummaryDraft, at: datetime) -> bool:
        summary = summary_of(draft, at)
        async with self.database.transaction(scope) as session:
            await lock(session, scope)
            saved = await session.fetch_one("save_summary", of_scope(scope) | _of_summary(summary), _Saved)
            if saved is None or saved.withdrawn:
                return saved is not None
            index_summary(session, scope, summary, scope.user_id)
            if draft.entity_slots:
                slots = {"entity_slots": Jsonb(dict(draft.entity_slots))}
                session.execute("add_slots", _of_session(scope, draft.session_id) | slots)
        return True

    async def summaries(self, scope: Scope, session_id: UUID, limit: int = 100) -> list[Summary]:
        params = _of_session(scope, session_id) | {"limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("summaries_of_session", params, Summary)

    async def find(self, scope: Scope, summary_ids: Sequence[UUID]) -> list[Summary]:
        params = of_scope(scope) | {"summary_ids": list(summary_ids)}
        async with self.database.scoped(scope) as session:
            return await session.fetch("summaries_by_id", params, Summary)

    async def covered(self, scope: Scope, session_id: UUID, block: int) -> list[Turn]:
        params = _of_session(scope, session_id) | {"block": block, "longest": LONGEST_TURN}
        async with self.database.scoped(scope) as session:
            return await session.fetch("covered_turns", params, Turn)

    async def reword(self, scope: Scope, draft: SummaryDraft) -> bool:
        words = {"block": draft.block, "text": draft.text, "sources": list(draft.sources)}
        async with self.database.transaction(scope) as session:
            await lock(session, scope)
            found = await session.fetch("reword_summary", _of_session(scope, draft.session_id) | words, Summary)
            for summary in found:
                index_summary(session, scope, summary, scope.user_id)
        return bool(found)

    async def newest(self, scope: Scope, limit: int = 50) -> list[SessionInfo]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("newest_sessions", of_scope(scope) | {"limit": limit}, SessionInfo)

    async def unsettled(self, scope: Scope, at: datetime, limit: int = 50) -> list[Unsettled]:
        params = of_scope(scope) | {"at": at, "limit": limit}
        async with self.database.scoped(scope) as session:
            return await session.fetch("unsettled_sessions", params, Unsettled)

    async def expire(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        async with self.database.scoped(scope) as session:
            return bool(await session.fetch("expire_session", _of_session(scope, session_id) | {"at": at}, _Known))


def index_summary(session: Session, scope: Scope, summary: Summary, user_id: UUID) -> None:
    """Make a block findable, unless it has nothing to say."""
    if not summary.text or summary.withdrawn:
        return
    session.execute("index_summary", of_scope(scope) | row_params(row_of_summary(summary, user_id)))


async def reindex_summaries(session: Session, scope: Scope, page: int) -> int:
    """Derive the rows of all blocks again; how many there are."""
    written, after = 0, (UUID(int=0), -1)
    while found := await _page(session, scope, after, page):
        for each in found:
            index_summary(session, scope, each, each.user_id)
        written += sum(bool(each.text) and not each.withdrawn for each in found)
        after = (found[-1].session_id, found[-1].block)
    return written


async def _page(session: Session, scope: Scope, after: tuple[UUID, int], limit: int) -> Sequence[OwnedSummary]:
    place = {"after_session": after[0], "after_block": after[1], "limit": limit}
    return await session.fetch("summaries_page", of_scope(scope) | place, OwnedSummary)


def _of_session(scope: Scope, session_id: UUID) -> dict[str, object]:
    return of_scope(scope) | {"session_id": session_id}


def _of_summary(summary: Summary) -> dict[str, object]:
    return {**asdict(summary), "sources": list(summary.sources)}


def _tail(row: _Tail) -> Tail:
    return Tail(
        block=row.block,
        status=row.status,
        events=tuple(_turn(each) for each in row.events),
        entity_slots=row.entity_slots,
        withdrawn=tuple(row.withdrawn),
    )


def _turn(data: dict[str, Any]) -> Turn:
    return Turn(**vars(event_of(data)), quotable=data["quotable"])
