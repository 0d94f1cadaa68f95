"""Accepted turns whose run has not ended, on PostgreSQL: taken back on a rollback, released when it is abandoned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.postgres.database import scope_params
from memory.postgres.failures import PASSED_OVER
from memory.postgres.index import LoggedTurn, index_turns
from memory.postgres.pending_turns import PostgresPendingTurns
from memory.scope import Scope

_MAX_TURNS = 200
"""Abandoned turns that are read at a time."""


@dataclass(frozen=True, kw_only=True)
class _AcceptedTurnRow:
    run_id: str
    tenant_id: UUID
    operation_id: UUID
    scope: str
    user_id: UUID
    session_id: UUID

    @property
    def owner_scope(self) -> Scope:
        return Scope(tenant_id=self.tenant_id, user_id=self.user_id, key=self.scope)

    @property
    def params(self) -> dict[str, object]:
        return scope_params(self.owner_scope) | {"operation_id": self.operation_id, "run_id": self.run_id}


@dataclass(frozen=True)
class PostgresAcceptedTurns(PostgresPendingTurns):
    """The part of the log port that servers and sweepers lean on; nobody in particular asks."""

    async def take_back(self, run_ids: Sequence[str], tenant_id: UUID | None = None) -> int:
        async with self.database.anonymous_session(tenant_id) as session:
            turns = await session.fetch("turns_of_runs", {"run_ids": list(run_ids)}, _AcceptedTurnRow)
        for turn in turns:
            await self._take_back(turn)
        return len(turns)

    async def release_abandoned(self, before: datetime) -> int:
        released, left = 0, set[_AcceptedTurnRow]()
        while turns := [each for each in await self._fetch_abandoned(before, len(left)) if each not in left]:
            for turn in turns:
                if await self._release(turn):
                    released += 1
                else:
                    left.add(turn)
        return released

    async def _take_back(self, turn: _AcceptedTurnRow) -> None:
        async with self.database.transaction(turn.owner_scope) as session:
            shown_again = await session.fetch("take_back", turn.params, LoggedTurn)
            index_turns(session, turn.owner_scope, shown_again)

    async def _fetch_abandoned(self, before: datetime, left: int) -> list[_AcceptedTurnRow]:
        params = {"before": before, "limit": _MAX_TURNS + left}
        async with self.database.anonymous_session() as session:
            return await session.fetch("abandoned_turns", params, _AcceptedTurnRow)

    async def _release(self, turn: _AcceptedTurnRow) -> bool:
        """Whether it could be: not where its tenant lives elsewhere, or its person is being erased."""
        try:
            async with self.database.scope_session(turn.owner_scope) as session:
                session.execute("release_turns", turn.params | {"settled": ""})
                session.execute("enqueue_operation", turn.params | {"priority": 0, "pause": 0.0})
                session.execute("forget_acceptance", turn.params)
        except PASSED_OVER:
            return False
        return True
