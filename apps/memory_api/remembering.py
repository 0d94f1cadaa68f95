"""Whether what a person says is remembered: stopping that for a time, in one conversation or for good; going on."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Name, endpoint
from memory.errors import BrainError
from memory.names import require_name
from memory.scope import name_id, session_id_of

MAX_MINUTES = 366 * 24 * 60
Conversation = Annotated[Name | None, Field(description="Only this conversation; all of them when left out.")]


class RememberingAsked(ApiRequest):
    """Of which conversation."""

    session: Conversation = None


class Stop(RememberingAsked):
    """For how long nothing is remembered."""

    minutes: Annotated[
        int | None, Field(ge=1, le=MAX_MINUTES, description="For so many minutes; until it is resumed when left out.")
    ] = None


class RememberingView(ApiAnswer):
    """``remembers``: whether what is said now is remembered. ``until``: when that begins again by itself.

    ``stopped_for``: what does not let it, which is what has to be resumed.
    """

    remembers: bool
    stopped_for: Literal["", "everything", "session"]
    since: datetime | None
    until: datetime | None


@endpoint("GET /remembering", command="remembering show")
async def read_remembering(asked: RememberingAsked, call: ApiCall) -> RememberingView:
    """Tell whether what the person says is remembered: in one conversation, or in general."""
    return await _read_state(asked, call)


async def _read_state(asked: RememberingAsked, call: ApiCall) -> RememberingView:
    session_id = _session_id(asked, call)
    found = await call.memory.pauses.list_current(call.scope)
    holding = [each for each in found if each.session_id in (None, session_id)]
    general = next((each for each in holding if each.session_id is None), None)
    pause = general or next(iter(holding), None)
    if pause is not None:
        kind = "everything" if general else "session"
        return RememberingView(remembers=False, stopped_for=kind, since=pause.since, until=pause.ends_at)
    is_off = session_id is not None and await _is_off_record(session_id, call)
    return RememberingView(remembers=not is_off, stopped_for="session" if is_off else "", since=None, until=None)


@endpoint("POST /remembering/stop", scope="memory:write", command="remembering stop", example={"minutes": 60})
async def stop_remembering(asked: Stop, call: ApiCall) -> RememberingView:
    """Remember nothing of what the person says from now on.

    It is logged and answered, and teaches nothing, now or later. For some minutes, or until it is resumed; in one
    conversation, or in all. What is known already is still used.
    """
    key = call.idempotency_key or call.trace_id
    pause_id = name_id("pause", str(call.scope.tenant_id), call.scope.key, str(call.scope.user_id), call.door, key)
    await call.memory.pauses.begin(call.scope, pause_id, _session_id(asked, call), asked.minutes)
    return await _read_state(asked, call)


@endpoint("POST /remembering/resume", scope="memory:write", command="remembering resume")
async def resume_remembering(asked: RememberingAsked, call: ApiCall) -> RememberingView:
    """Remember again what the person says from now on; what was said meanwhile stays unremembered.

    Of one conversation only its own stop ends.
    """
    await call.memory.pauses.end(call.scope, _session_id(asked, call))
    return await _read_state(asked, call)


async def was_paused(call: ApiCall, session_id: UUID, said_at: datetime | None) -> bool:
    """Whether the person did not want to be remembered when something was said that is handed over later."""
    return said_at is not None and await call.memory.pauses.covers(call.scope, session_id, said_at)


async def require_remembering(call: ApiCall) -> None:
    """Raise ``E_CONFLICT`` where a program writes for a person who does not want to be remembered."""
    if call.is_program and any(each.session_id is None for each in await call.memory.pauses.list_current(call.scope)):
        raise BrainError(
            "E_CONFLICT", "The person has stopped remembering.", "POST /v1/memory/remembering/resume ends that."
        )


async def _is_off_record(session_id: UUID, call: ApiCall) -> bool:
    return bool((await call.memory.log.open(call.scope, session_id, 0)).carried.get("off_record"))


def _session_id(asked: RememberingAsked, call: ApiCall) -> UUID | None:
    return None if asked.session is None else session_id_of(call.scope, require_name("session", asked.session))
