"""Memories that contradict each other, and how a person settles it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply
from apps.memory_api.memories import Reason
from apps.memory_api.paging import Page, PageRequest, read_page
from apps.views.conflict_sides import ConflictSides, fetch_conflict_sides
from brain.documents.profile_refresh import try_refresh_profile
from language.secrets import mask_secrets
from memory.conflicts import ConflictKind, ConflictStatus, Resolution, Settlement
from memory.paging import Cursor


class ConflictList(PageRequest):
    """``all`` also lists what is settled."""

    all: bool = False


class ConflictResolution(ApiRequest):
    """``keep``: both are true. ``merge``: they say the same. ``discard``: only one is true.

    The ``winner`` is the better founded, then the newer memory when none is named.
    """

    id: UUID
    resolution: Resolution
    winner: UUID | None = None
    reason: Reason = "asked for over the API"


class Side(ApiAnswer):
    """One of the two."""

    id: UUID
    content: str


class Conflict(ApiAnswer):
    """``held`` was remembered when ``new`` came."""

    id: UUID
    kind: ConflictKind
    status: ConflictStatus
    held: Side
    new: Side
    opened_at: datetime
    settled_at: datetime | None


class Settled(ApiAnswer):
    """How it was settled."""

    id: UUID
    status: ConflictStatus


async def list_conflicts(asked: ConflictList, call: ApiCall) -> Reply[Page[Conflict]]:
    """Oldest first."""
    memory = call.resources.memory
    return Reply(
        await read_page(
            asked,
            lambda limit, after: fetch_conflict_sides(
                memory, call.scope, include_settled=asked.all, limit=limit, after=after
            ),
            lambda each: Cursor(each.conflict.opened_at, each.conflict.conflict_id),
            _view,
        )
    )


async def resolve_conflict(asked: ConflictResolution, call: ApiCall) -> Reply[Settled]:
    """Settle it. The memory that does not stay is superseded and can be restored."""
    author = call.make_author(f"resolve:{asked.id}", asked.reason)
    settlement = Settlement(resolution=asked.resolution, winner=asked.winner)
    status = await call.resources.memory.conflicts.resolve(call.scope, asked.id, settlement, author)
    await try_refresh_profile(call.resources, call.scope)
    return Reply(Settled(id=asked.id, status=status))


def _view(each: ConflictSides) -> Conflict:
    return Conflict(
        id=each.conflict.conflict_id,
        kind=each.conflict.kind,
        status=each.conflict.status,
        held=Side(id=each.held.memory_id, content=mask_secrets(each.held.content)),
        new=Side(id=each.new.memory_id, content=mask_secrets(each.new.content)),
        opened_at=each.conflict.opened_at,
        settled_at=each.conflict.settled_at,
    )


ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path="/v1/memory/conflicts",
        summary="List memories that contradict each other, oldest first.",
        request=ConflictList,
        answer=Page[Conflict],
        run=list_conflicts,
        example={"limit": 20},
    ),
    Endpoint(
        method="POST",
        path="/v1/memory/conflicts/{id}/resolve",
        summary="Settle a conflict.",
        request=ConflictResolution,
        answer=Settled,
        run=resolve_conflict,
        scope="memory:write",
        example={"id": "0198c0de-0000-7000-8000-000000000002", "resolution": "discard"},
    ),
)
