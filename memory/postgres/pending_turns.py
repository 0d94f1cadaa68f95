"""Accepted turns that wait to be looked at, on PostgreSQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.log import Outcome
from memory.pending_turns import Backlog, PendingTurns, blank_spans
from memory.postgres.branches import settle_branches
from memory.postgres.database import Database, scope_params
from memory.postgres.event_json import event_from_json
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class _PendingTurnsRow:
    operations: list[UUID]
    more: bool
    said: list[dict[str, Any]]
    before: list[dict[str, Any]]
    recalled: dict[str, list[str]]
    models: dict[str, list[str]]


@dataclass(frozen=True)
class _FinishedOperation:
    thread_id: str | None
    is_left: bool


@dataclass(frozen=True)
class _ChangedOperation:
    operation_id: UUID


@dataclass(frozen=True)
class PostgresPendingTurns:
    """The part of the log port that the work behind the conversation leans on."""

    database: Database

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> PendingTurns:
        return await self._find_turns(scope, session_id, most, statuses=["queued"], unremarkable="", behind=-1)

    async def find_read_turns(
        self, scope: Scope, session_id: UUID, most: int, *, unremarkable: str, behind: int = -1
    ) -> PendingTurns:
        statuses = ["stored", "nothing"]
        return await self._find_turns(
            scope, session_id, most, statuses=statuses, unremarkable=unremarkable, behind=behind
        )

    async def _find_turns(self, scope: Scope, session_id: UUID, most: int, **which: object) -> PendingTurns:
        params = scope_params(scope) | {"session_id": session_id, "most": most} | which
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("turns_to_read", params, _PendingTurnsRow)
        return _pending_turns_from_row(row) if row else PendingTurns()

    async def backlog(self, scope: Scope, most: int) -> Backlog:
        params = {"tenant_id": str(scope.tenant_id), "most": most}
        async with self.database.anonymous_session(scope.tenant_id) as session:
            return await session.fetch_one("backlog", params, Backlog) or Backlog(0, 0)

    async def finish(self, scope: Scope, outcomes: Mapping[UUID, Outcome], at: datetime) -> None:
        ends = [_outcome_json(operation_id, outcome) for operation_id, outcome in outcomes.items()]
        async with self.database.transaction(scope) as session:
            params = scope_params(scope) | {"ends": Jsonb(ends), "at": at}
            finished = await session.fetch("finish_operations", params, _FinishedOperation)
            if any(each.is_left for each in finished):
                await settle_branches(session, scope, finished[0].thread_id, at)

    async def bury(self, scope: Scope, session_id: UUID, reason: str, at: datetime) -> int:
        params = scope_params(scope) | {"session_id": session_id, "reason": reason, "at": at}
        async with self.database.scope_session(scope) as session:
            return len(await session.fetch("bury_operations", params, _ChangedOperation))

    async def reopen(self, scope: Scope, session_id: UUID) -> int:
        params = scope_params(scope) | {"session_id": session_id}
        async with self.database.scope_session(scope) as session:
            return len(await session.fetch("reopen_operations", params, _ChangedOperation))

    async def hasten(self, scope: Scope, operation_id: UUID) -> None:
        async with self.database.scope_session(scope) as session:
            session.execute("hasten_job", scope_params(scope) | {"operation_id": operation_id})


def _pending_turns_from_row(row: _PendingTurnsRow) -> PendingTurns:
    return PendingTurns(
        operations=tuple(row.operations),
        said=tuple(
            (UUID(each["operation_id"]), blank_spans(event_from_json(each), each["forgotten"])) for each in row.said
        ),
        before=tuple(event_from_json(each) for each in row.before),
        recalled={UUID(operation): tuple(texts) for operation, texts in row.recalled.items()},
        models={UUID(operation): tuple(names) for operation, names in row.models.items()},
        more=row.more,
    )


def _outcome_json(operation_id: UUID, outcome: Outcome) -> dict[str, object]:
    return {
        "operation_id": str(operation_id),
        "status": outcome.status,
        "reason": outcome.reason,
        "memory_ids": [str(each) for each in outcome.memory_ids],
    }
