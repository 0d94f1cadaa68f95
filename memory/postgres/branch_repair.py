"""Turns that were left behind by a crash and not by a fork: found, and brought back into recall and memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.postgres.branches import settle_branches
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class LeftTurn:
    """A turn that does not count although nobody forked its thread."""

    operation_id: UUID
    thread_id: str


async def find_left_by_mistake(database: Database, scope: Scope) -> list[LeftTurn]:
    """Those of a person of which it is certain; what was pruned since is not."""
    async with database.scope_session(scope) as session:
        return await session.fetch("left_by_mistake", scope_params(scope), LeftTurn)


async def bring_back(database: Database, scope: Scope, turns: Sequence[LeftTurn], at: datetime) -> None:
    """Make turns count again: they are recalled, what rests on them returns, and what waited is looked at."""
    params = scope_params(scope)
    async with database.transaction(scope) as session:
        session.execute("bring_back", params | {"operation_ids": [turn.operation_id for turn in turns]})
        for thread in {turn.thread_id for turn in turns}:
            session.execute("mend_line", params | {"thread_id": thread})
            await settle_branches(session, scope, thread, at)
        for turn in turns:
            queued = {"operation_id": turn.operation_id, "priority": 0, "pause": 0.0}
            session.execute("enqueue_operation", params | queued)
