"""What a person brought along from other assistants: listed, and taken back. ``brain past`` and the panel read it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.past.import_past import remove_past
from memory.past_imports import PastImport, PastState

_EXAMPLE = {"id": "0198c0de-0000-7000-8000-000000000001"}


class PastAsked(ApiRequest):
    """All that was brought along."""


class OnePast(ApiRequest):
    """Which import."""

    id: Annotated[UUID, Field(description="Its id in the list.")]


class PastView(ApiAnswer):
    """One file that was brought along. ``counts``: what was read of it, and what was left out by reason."""

    id: UUID
    file: str
    format: str
    state: PastState
    started_at: datetime
    finished_at: datetime | None
    counts: Mapping[str, int]


class PastList(ApiAnswer):
    """The newest first, 100 at most."""

    imports: list[PastView]


class PastRemoved(ApiAnswer):
    """How many messages went, in parts or whole."""

    removed: int


@endpoint("GET /past")
async def list_past(asked: PastAsked, call: ApiCall) -> PastList:
    """List what was brought along from other assistants, the newest first."""
    return PastList(imports=[_view(each) for each in await call.memory.past_imports.list_newest(call.scope)])


@endpoint("DELETE /past/{id}", scope="memory:write", example=_EXAMPLE)
async def remove_one_past(asked: OnePast, call: ApiCall) -> PastRemoved:
    """Take an import back: its messages, and what was made of them; again goes on where it was cut off."""
    return PastRemoved(removed=await remove_past(call.resources, call.identity, asked.id))


def _view(found: PastImport) -> PastView:
    return PastView(
        id=found.import_id,
        file=found.file_name,
        format=found.format,
        state=found.state,
        started_at=found.started_at,
        finished_at=found.finished_at,
        counts=found.counts,
    )
