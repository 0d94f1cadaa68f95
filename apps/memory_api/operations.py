"""What became of accepted turns, and what a tenant's models cost."""

from datetime import date, datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.paging import Page, PageRequest, read_page
from apps.views.spending import fetch_account
from memory.errors import BrainError
from memory.model_usage import ModelRole, Purpose
from memory.paging import Cursor
from memory.turns import Operation, OperationStatus


class OneOperation(ApiRequest):
    """Which operation."""

    id: Annotated[UUID, Field(description="The operation's id, as the turn that was accepted told it.")]


class OperationView(ApiAnswer):
    """``accepted`` and ``queued`` work is still to come; ``dead_letter`` was given up, for the reason given."""

    id: UUID
    status: OperationStatus
    reason: str | None
    memory_ids: list[UUID]
    created_at: datetime
    finished_at: datetime | None


class UsageRequest(ApiRequest):
    """How far back, today included."""

    days: Annotated[int, Field(ge=1, le=3_650, description="How many days, today included.")] = 7


class DayUsage(ApiAnswer):
    """What was spent on one UTC day, by purpose and role of the model."""

    day: date
    purpose: Purpose
    role: ModelRole
    calls: int
    estimated_calls: int
    input_tokens: int
    output_tokens: int


class UsageAccount(ApiAnswer):
    """The tenant's account. ``limit`` is that of a day; null where there is none. ``summary`` is today in words.

    ``routed_tokens`` are those of replies that the fast model gave in place of the chat model. ``cost`` and ``saved``
    are by today's models and their prices; null where a price is not known.
    """

    today: date
    tokens_today: int
    limit: int | None
    summary: str
    routed_tokens: int
    cost: float | None
    saved: float | None
    days: list[DayUsage]


@endpoint("GET /operations/{id}", command="operations show", example={"id": "0198c0de-0000-7000-8000-000000000003"})
async def get_operation(asked: OneOperation, call: ApiCall) -> OperationView:
    """Tell what became of a turn: stored, nothing to store and why, dead letter, or accepted or queued."""
    found = await call.memory.log.operation(call.scope, asked.id)
    if found is None:
        raise BrainError("E_NOT_FOUND", "There is no such operation.")
    return _view(found)


@endpoint("GET /jobs", example={"limit": 20})
async def list_jobs(asked: PageRequest, call: ApiCall) -> Page[OperationView]:
    """List the work behind the person's turns, the newest first: what waits, was done, was given up."""
    return await read_page(
        asked,
        lambda limit, after: call.memory.log.list_operations(call.scope, limit, after),
        lambda each: Cursor(each.created_at, each.operation_id),
        _view,
    )


@endpoint("GET /usage", command="usage", example={"days": 30})
async def read_usage(asked: UsageRequest, call: ApiCall) -> UsageAccount:
    """Tell what the tenant's models cost, in tokens by UTC day, purpose and role; nothing tells who spoke."""
    since = call.resources.today() - timedelta(days=asked.days - 1)
    found = await fetch_account(call.resources, call.identity.tenant, since)
    days = [DayUsage.model_validate(each) for each in found.entries]
    return UsageAccount(
        today=found.today,
        tokens_today=found.tokens_today,
        limit=found.limit,
        summary=found.summary,
        routed_tokens=found.routed_tokens,
        cost=found.cost,
        saved=found.saved,
        days=days,
    )


def _view(found: Operation) -> OperationView:
    return OperationView(
        id=found.operation_id,
        status=found.status,
        reason=found.reason,
        memory_ids=list(found.memory_ids),
        created_at=found.created_at,
        finished_at=found.finished_at,
    )
