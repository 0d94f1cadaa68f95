"""What was last changed, and taking it back: for a day, by the person whose memory it is."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.undoing import RecentAct, find_act, list_recent_acts, undo_act
from language.secrets import mask_secrets


class ChangesRequest(ApiRequest):
    """All that can be taken back."""


class OneAct(ApiRequest):
    """Which change."""

    id: UUID


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


async def list_changes(asked: ChangesRequest, call: ApiCall) -> Reply[RecentChanges]:
    """What was forgotten, corrected or replaced within the last day."""
    found = await list_recent_acts(call.resources, call.scope)
    return Reply(RecentChanges(changes=[_view(each) for each in found]))


async def undo_change(asked: OneAct, call: ApiCall) -> Reply[Undone]:
    """Take one of them back."""
    act = find_act(await list_recent_acts(call.resources, call.scope), asked.id)
    editor = MemoryEditor(
        resources=call.resources,
        scope=call.scope,
        key=f"api:{call.idempotency_key or call.trace_id}",
        at=call.resources.clock(),
        trace_id=call.trace_id,
        operator=call.identity.user,
    )
    said = await undo_act(editor, act)
    await try_refresh_profile(call.resources, call.scope)
    return Reply(Undone(texts=[mask_secrets(each) for each in said]))


def _view(act: RecentAct) -> RecentChangeView:
    return RecentChangeView(
        id=act.act_id,
        at=act.at,
        before=[mask_secrets(each) for each in act.told],
        memory_ids=[each.memory_id for each in act.changes],
        asked_for=act.is_asked_for,
    )


ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path="/v1/memory/changes",
        summary="List what can be taken back, the newest first.",
        request=ChangesRequest,
        answer=RecentChanges,
        run=list_changes,
    ),
    Endpoint(
        method="POST",
        path="/v1/memory/changes/{id}/undo",
        summary="Take a change of the last day back.",
        request=OneAct,
        answer=Undone,
        run=undo_change,
        scope="memory:write",
        example={"id": "0198c0de-0000-7000-8000-000000000001"},
    ),
)
