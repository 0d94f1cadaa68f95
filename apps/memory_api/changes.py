"""What was last changed, and taking it back: for a day, by the person whose memory it is."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.undoing import RecentAct, find_act, list_recent_acts, undo_act
from language.secrets import mask_secrets


class ChangesRequest(ApiRequest):
    """All that can be taken back."""


class OneAct(ApiRequest):
    """Which change."""

    id: Annotated[UUID, Field(description="Its id in the list of changes.")]


class RecentChangeView(ApiAnswer):
    """What one turn, command or call changed: ``before`` is what memories said; ``asked_for`` or concluded."""

    id: UUID
    at: datetime
    before: list[str]
    memory_ids: list[UUID]
    asked_for: bool


class RecentChanges(ApiAnswer):
    """The newest first."""

    changes: list[RecentChangeView]


class Undone(ApiAnswer):
    """What stands again, or, of what was only noted, what is forgotten."""

    texts: list[str]


@endpoint("GET /changes", tool="changes")
async def list_changes(asked: ChangesRequest, call: ApiCall) -> RecentChanges:
    """List what can be taken back, the newest first.

    It was forgotten, corrected or replaced within the last day.
    """
    found = await list_recent_acts(call.resources, call.scope)
    return RecentChanges(changes=[_view(each) for each in found])


@endpoint(
    "POST /changes/{id}/undo",
    scope="memory:write",
    tool="undo",
    example={"id": "0198c0de-0000-7000-8000-000000000001"},
)
async def undo_change(asked: OneAct, call: ApiCall) -> Undone:
    """Take back what was forgotten, corrected or replaced within the last day: the change that the user chose."""
    act = find_act(await list_recent_acts(call.resources, call.scope), asked.id)
    editor = MemoryEditor(
        resources=call.resources,
        scope=call.scope,
        key=f"{call.door}:{call.idempotency_key or call.trace_id}",
        at=call.resources.clock(),
        trace_id=call.trace_id,
        operator=call.identity.user,
    )
    said = await undo_act(editor, act)
    await try_refresh_profile(call.resources, call.scope)
    return Undone(texts=[mask_secrets(each) for each in said])


def _view(act: RecentAct) -> RecentChangeView:
    return RecentChangeView(
        id=act.act_id,
        at=act.at,
        before=[mask_secrets(each) for each in act.told],
        memory_ids=[each.memory_id for each in act.changes],
        asked_for=act.is_asked_for,
    )
