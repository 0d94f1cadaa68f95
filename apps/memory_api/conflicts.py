"""Memories that contradict each other, and how a person settles it."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.memories import Reason
from apps.memory_api.paging import Page, PageRequest, read_page
from brain.documents.profile_refresh import try_refresh_profile
from evolution.conflict_sides import ConflictSides, fetch_conflict_sides
from language.secrets import mask_secrets
from memory.conflicts import ConflictKind, ConflictStatus, Resolution, Settlement
from memory.paging import Cursor


class ConflictList(PageRequest):
    """Which conflicts."""

    all: Annotated[bool, Field(description="Also what is settled.")] = False


class ConflictResolution(ApiRequest):
    """How to settle which conflict."""

    id: Annotated[UUID, Field(description="The conflict's id.")]
    resolution: Annotated[
        Resolution,
        Field(description="keep: both are true; merge: they say the same; discard: only one is true."),
    ]
    winner: Annotated[
        UUID | None,
        Field(description="The memory that stays; the better founded, then the newer one when none is named."),
    ] = None
    reason: Reason = ""


class Side(ApiAnswer):
    """One of the two."""

    id: UUID
    text: str


class ConflictView(ApiAnswer):
    """``held`` was remembered when ``new`` came."""

    id: UUID
    kind: ConflictKind
    status: ConflictStatus
    held: Side
    new: Side
    opened_at: datetime
    opened_by: str
    settled_at: datetime | None
    settled_by: str | None


class Settled(ApiAnswer):
    """How it was settled."""

    id: UUID
    status: ConflictStatus


@endpoint("GET /conflicts", command="memories conflicts", example={"limit": 20})
async def list_conflicts(asked: ConflictList, call: ApiCall) -> Page[ConflictView]:
    """List memories that contradict each other and wait for a decision, oldest first."""
    return await read_page(
        asked,
        lambda limit, after: fetch_conflict_sides(
            call.memory, call.scope, include_settled=asked.all, limit=limit, after=after
        ),
        lambda each: Cursor(each.conflict.opened_at, each.conflict.conflict_id),
        _view,
    )


@endpoint(
    "POST /conflicts/{id}/resolve",
    scope="memory:write",
    command="memories resolve",
    example={"id": "0198c0de-0000-7000-8000-000000000002", "resolution": "discard"},
)
async def resolve_conflict(asked: ConflictResolution, call: ApiCall) -> Settled:
    """Settle a conflict. The memory that does not stay is superseded and can be restored."""
    author = call.make_author(f"resolve:{asked.id}", asked.reason)
    settlement = Settlement(resolution=asked.resolution, winner=asked.winner)
    status = await call.memory.conflicts.resolve(call.scope, asked.id, settlement, author)
    await try_refresh_profile(call.resources, call.scope)
    return Settled(id=asked.id, status=status)


def _view(each: ConflictSides) -> ConflictView:
    return ConflictView(
        id=each.conflict.conflict_id,
        kind=each.conflict.kind,
        status=each.conflict.status,
        held=Side(id=each.held.memory_id, text=mask_secrets(each.held.content)),
        new=Side(id=each.new.memory_id, text=mask_secrets(each.new.content)),
        opened_at=each.conflict.opened_at,
        opened_by=each.conflict.opened_by,
        settled_at=each.conflict.settled_at,
        settled_by=each.conflict.settled_by,
    )
