"""One change of a memory on its way into the tables: row, version, receipt, audit and index, in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal
from uuid import UUID

import uuid_utils.compat as uuids
from psycopg.types.json import Jsonb

from memory.contracts import RECEIPT_SCHEMA_VERSION, Action, Author, Change, Citation, MemoryItem, WriteReceipt
from memory.errors import BrainError
from memory.index_rows import row_of_item
from memory.postgres.database import scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.index_params import row_params, standing_params
from memory.revision import events_of, snapshot, unknown_memory
from memory.scope import Scope


@dataclass(frozen=True)
class _WrittenItem:
    item_id: UUID


@dataclass(frozen=True, kw_only=True)
class Revision:
    """One change on its way into the tables."""

    item: MemoryItem
    change: Change
    author: Author
    action: Action | Change
    status: Literal["accepted", "merged"] = "accepted"


def record(session: DatabaseSession, scope: Scope, revision: Revision) -> WriteReceipt:
    """Keep the change with all that explains it; the receipt answers the same idempotency key again."""
    keep_version(session, scope, revision)
    return issue_receipt(session, scope, revision)


def issue_receipt(session: DatabaseSession, scope: Scope, revision: Revision) -> WriteReceipt:
    """The receipt alone, for a write that found nothing to change."""
    receipt = WriteReceipt(
        receipt_id=uuids.uuid7(),
        memory_id=revision.item.memory_id,
        written_at=revision.author.at,
        status=revision.status,
    )
    answer = {"receipt_id": receipt.receipt_id, "status": receipt.status, "schema_version": RECEIPT_SCHEMA_VERSION}
    session.execute("insert_write_receipt", _revision_params(scope, revision) | answer)
    return receipt


def keep_version(session: DatabaseSession, scope: Scope, revision: Revision) -> None:
    """The new state in history, audit and index; what was deleted leaves the index together with its turns."""
    params = _revision_params(scope, revision)
    session.execute("insert_version", params)
    session.execute("insert_audit", params)
    if revision.item.status != "active":
        session.execute("settle_conflicts_of_ended", params)
    if revision.item.status == "deleted":
        session.execute("drop_row", params)
        session.execute("hide_cited_turns", params)
        session.execute("withdraw_summaries", params)
        session.execute("clear_slots", params)
        return
    row = scope_params(scope) | row_params(row_of_item(revision.item, revision.author.at))
    for statement in ("drop_outdated_row", "refresh_row", "index_fact"):
        session.execute(statement, row)
    weigh_turns(session, scope, [UUID(event) for event in events_of(revision.item)])


def weigh_turns(session: DatabaseSession, scope: Scope, event_ids: Sequence[UUID]) -> None:
    """Believe turns as much as the memories that rest on them allow."""
    params = {"event_ids": list(event_ids)} | standing_params()
    for statement in ("lock_turns", "weigh_turns"):
        session.execute(statement, scope_params(scope) | params)


async def find_receipt(session: DatabaseSession, scope: Scope, author: Author) -> WriteReceipt | None:
    """The receipt that this author's idempotency key already got, or None."""
    params = scope_params(scope) | {"idempotency_key": author.idempotency_key}
    return await session.fetch_one("write_receipt_by_key", params, WriteReceipt)


async def get_item(session: DatabaseSession, scope: Scope, memory_id: UUID) -> MemoryItem:
    """The memory as it stands. Raises ``E_NOT_FOUND``."""
    item = await session.fetch_one("item_by_id", scope_params(scope) | {"memory_id": memory_id}, MemoryItem)
    if item is None:
        raise unknown_memory()
    return item


async def save_item(session: DatabaseSession, scope: Scope, item: MemoryItem) -> None:
    """Replace the row by its next version. Raises ``E_CONFLICT`` when another writer was first."""
    if not await session.fetch("update_item", scope_params(scope) | item_params(item), _WrittenItem):
        raise BrainError(
            "E_CONFLICT", "This memory was changed by somebody else meanwhile.", "Read it again, then retry."
        )


def cite(session: DatabaseSession, scope: Scope, memory_id: UUID, citations: tuple[Citation, ...]) -> None:
    """Add the turns that a memory rests on; known ones stay."""
    if citations:
        params = {
            "memory_id": memory_id,
            "event_ids": [each.event_id for each in citations],
            "starts": [each.start for each in citations],
            "ends": [each.end for each in citations],
            "sha256s": [each.sha256 for each in citations],
        }
        session.execute("insert_citations", scope_params(scope) | params)


def item_params(item: MemoryItem) -> dict[str, object]:
    """A memory as statement parameters."""
    arrays = {"source_sessions": list(item.source_sessions), "provenance": Jsonb(dict(item.provenance))}
    return {**asdict(item), **arrays}


def _revision_params(scope: Scope, revision: Revision) -> dict[str, object]:
    author, item = revision.author, revision.item
    return scope_params(scope) | {
        "memory_id": item.memory_id,
        "user_id": item.user_id,
        "version": item.version,
        "change": revision.change,
        "snapshot": Jsonb(snapshot(item)),
        "action": revision.action,
        "source_id": item.superseded_by,
        "reason": author.reason,
        "operator": author.operator,
        "trace_id": author.trace_id,
        "idempotency_key": author.idempotency_key,
        "at": author.at,
    }
