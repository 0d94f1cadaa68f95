"""Receipts: what a turn looked for in memory, what it put before the model, and why.

Every caller reads what explains an answer. Scores, policies and safety rules are for those who run the server: they
stand under ``internal``, which only a key with the scope ``admin`` is shown.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.paging import Page, PageRequest, read_page
from apps.views.receipt_words import hide_queries, hide_words
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.paging import Cursor
from memory.receipts import Receipt, TurnReceipt

Internal = dict[str, Any] | None

EXPOSED_OF_TURN = ("queries", "temporal_intent", "stores_used", "degraded_reason", "intent", "change", "documents")
EXPOSED_OF_MEMORY = ("decision_reason", "context_position", "text", "span", "budget_exceeded", "degraded_reason")


class OneTurn(ApiRequest):
    """Which turn, by the operation that accepted it."""

    id: UUID


class TurnReceiptView(ApiAnswer):
    """A turn that looked into memory; ``id`` is the turn's operation."""

    id: UUID
    session_id: UUID
    created_at: datetime
    exposed: dict[str, Any]
    internal: Internal = None


class ReceiptView(ApiAnswer):
    """One receipt of a turn. ``memory_id`` is what was injected, or left out."""

    receipt_id: UUID
    receipt_type: str
    memory_id: UUID | None
    lane: str | None
    utilized: bool | None
    user_feedback_signal: str | None
    exposed: dict[str, Any]
    internal: Internal = None


class TurnReceipts(ApiAnswer):
    """What the turn looked for comes first."""

    id: UUID
    receipts: list[ReceiptView]


@endpoint("GET /receipts", example={"limit": 20})
async def list_receipts(asked: PageRequest, call: ApiCall) -> Page[TurnReceiptView]:
    """List turns that looked into memory, the newest first."""
    log = call.memory.log

    async def fetch(limit: int, after: Cursor | None) -> list[TurnReceipt]:
        return await hide_queries(log, call.scope, await log.list_turn_receipts(call.scope, limit, after))

    return await read_page(
        asked,
        fetch,
        lambda each: Cursor(each.created_at, each.receipt_id),
        lambda each: _turn_view(each, call),
    )


@endpoint("GET /receipts/{id}", example={"id": "0198c0de-0000-7000-8000-000000000003"})
async def show_receipts(asked: OneTurn, call: ApiCall) -> TurnReceipts:
    """Show why a turn used what it used: every memory that was considered, and why it was or was not used."""
    log = call.memory.log
    found = await log.receipts(call.scope, asked.id)
    if not found:
        raise BrainError("E_NOT_FOUND", "No turn with this id looked into memory.", "The list of receipts shows them.")
    shown = await hide_words(log, call.scope, asked.id, found)
    return TurnReceipts(id=asked.id, receipts=[_receipt_view(each, call) for each in shown])


def _turn_view(receipt: TurnReceipt, call: ApiCall) -> TurnReceiptView:
    return TurnReceiptView(
        id=receipt.operation_id,
        session_id=receipt.session_id,
        created_at=receipt.created_at,
        exposed=_pick(receipt.details, EXPOSED_OF_TURN),
        internal=_internal(receipt.details, EXPOSED_OF_TURN, call),
    )


def _receipt_view(receipt: Receipt, call: ApiCall) -> ReceiptView:
    names = EXPOSED_OF_MEMORY if receipt.receipt_type == "injection" else EXPOSED_OF_TURN
    internal = _internal(receipt.details, names, call)
    return ReceiptView(
        receipt_id=receipt.receipt_id,
        receipt_type=receipt.receipt_type,
        memory_id=receipt.memory_id,
        lane=receipt.lane,
        utilized=receipt.utilized,
        user_feedback_signal=receipt.user_feedback_signal,
        exposed=_pick(receipt.details, names),
        internal=None if internal is None else {**internal, "utilization_signal": receipt.utilization_signal},
    )


def _pick(details: Mapping[str, object], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: _mask(details[name]) for name in names if name in details}


def _mask(value: object) -> Any:
    """The words in it without secrets."""
    if isinstance(value, str):
        return mask_secrets(value)
    return [_mask(each) for each in cast("list[object]", value)] if isinstance(value, list) else value


def _internal(details: Mapping[str, object], exposed: tuple[str, ...], call: ApiCall) -> Internal:
    if not call.is_operator:
        return None
    return {name: value for name, value in details.items() if name not in exposed}
