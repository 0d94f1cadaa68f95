"""Which words of receipts may still be shown: nothing that was forgotten since, or said off the record."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

from memory.log import ConversationLog
from memory.receipts import Receipt, TurnReceipt
from memory.scope import Scope

DERIVED = frozenset({"summary", "document"})
"""Lanes whose text rests on many turns: it is hidden when anything was forgotten since."""
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


async def find_hidden(
    log: ConversationLog, scope: Scope, receipts: Sequence[Receipt], since: datetime | None
) -> frozenset[UUID]:
    """The ids of the injection receipts whose words may not be shown. ``since`` is the turn's time; None: unknown."""
    injected = [each for each in receipts if each.receipt_type == "injection" and each.memory_id]
    ids = list({source for each in injected for source in source_ids(each)})
    if not ids:
        return frozenset()
    gone = await log.find_forgotten(scope, ids, since or _BEFORE_ALL)
    derived = DERIVED if gone.anything else frozenset[str]()
    return frozenset(each.receipt_id for each in injected if source_ids(each) & gone.ids or each.lane in derived)


async def hide_words(
    log: ConversationLog, scope: Scope, operation_id: UUID, receipts: Sequence[Receipt]
) -> list[Receipt]:
    """The receipts of one turn without the words that may not be shown: its own, and those of memories."""
    operation = await log.operation(scope, operation_id)
    hidden = await find_hidden(log, scope, receipts, operation.created_at if operation else None)
    readable = await log.find_readable(scope, [operation_id])
    return [_hide(each, each.receipt_id in hidden, operation_id in readable) for each in receipts]


async def hide_queries(log: ConversationLog, scope: Scope, turns: Sequence[TurnReceipt]) -> list[TurnReceipt]:
    """Turns without what they asked, where their own words may not be shown."""
    readable = await log.find_readable(scope, [each.operation_id for each in turns]) if turns else frozenset[UUID]()
    return [
        each if each.operation_id in readable else replace(each, details=_without(each.details, "queries"))
        for each in turns
    ]


def source_ids(receipt: Receipt) -> set[UUID]:
    """The memory or turn itself, and the turn that a passage is of."""
    span = span_of(receipt)
    return {memory_id_of(receipt)} | ({UUID(span["event_id"])} if span else set())


def span_of(receipt: Receipt) -> Mapping[str, Any] | None:
    """Where a passage stands in its turn."""
    return cast("Mapping[str, Any] | None", receipt.details.get("span"))


def memory_id_of(receipt: Receipt) -> UUID:
    """What an injection receipt is about."""
    assert receipt.memory_id is not None
    return receipt.memory_id


def _hide(receipt: Receipt, is_hidden: bool, is_readable: bool) -> Receipt:
    names = ("text",) * is_hidden + ("queries",) * (not is_readable)
    return replace(receipt, details=_without(receipt.details, *names))


def _without(details: Mapping[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in details.items() if name not in names}
