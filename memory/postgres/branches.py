"""Memories follow their thread: what rests only on turns that were left behind does not count, until they return."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.branch_changes import MOVED, LeftBehind, leave_or_return, settle_ending
from memory.memory_item import Author, Change, MemoryItem
from memory.postgres.database import scope_params
from memory.postgres.database_session import Transaction
from memory.postgres.index import LoggedTurn, index_turns
from memory.postgres.unit_of_work import UnitOfWork
from memory.scope import Scope

_ROUNDS = 4
"""How often endings are looked at again: a memory that lives again may end by another one that returned."""


@dataclass(frozen=True)
class _LeftBehindRow:
    memories: list[UUID]
    events: list[str]


async def settle_branches(session: Transaction, scope: Scope, thread_id: str | None, at: datetime) -> None:
    """Bring the index and the memories of a person up to the heads of their threads. Doing it again changes nothing."""
    index_turns(session, scope, await session.fetch("unindexed_turns", _params(scope, thread_id), LoggedTurn))
    moving = await session.fetch("items_to_move", scope_params(scope), MemoryItem)
    for item in moving:
        await _save(session, scope, leave_or_return(item, at))
    for _ in range(_ROUNDS):
        if not await _settle_endings(session, scope, at):
            return


async def _settle_endings(session: Transaction, scope: Scope, at: datetime) -> int:
    ended = await session.fetch("endings_to_settle", scope_params(scope), MemoryItem)
    if not ended:
        return 0
    row = (await session.fetch("left_behind", scope_params(scope), _LeftBehindRow))[0]
    left = LeftBehind(frozenset(row.memories), frozenset(row.events))
    changes = [change for item in ended if (change := settle_ending(item, left, at))]
    for change in changes:
        await _save(session, scope, change)
    return len(changes)


async def _save(session: Transaction, scope: Scope, change: tuple[Change, MemoryItem]) -> None:
    name, item = change
    unit = UnitOfWork(session, scope)
    key = f"branch:{item.memory_id}:{item.version}"
    author = Author(operator="brain", reason=MOVED, idempotency_key=key, at=item.updated_at)
    await unit.put(item)
    unit.keep_version(item, name, author, name)
    await unit.mark_documents(item, author)


def _params(scope: Scope, thread_id: str | None) -> dict[str, object]:
    return scope_params(scope) | {"thread_id": thread_id}
