"""What is known at a glance, and where any of it comes from."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.documents import text_view
from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.memories import Memory, memory_view
from apps.memory_api.sessions import Session, session_view
from apps.memory_api.versions import Quote, Version, version_view
from apps.views.proof import Source, fetch_proofs
from memory.documents.document import PROFILE_NAME, document_id_from_name
from memory.errors import BrainError
from memory.lanes import Lane


class WhyRequest(ApiRequest):
    """Something that is remembered."""

    id: Annotated[UUID, Field(description="The id of something that recall or recent found.")]


class Origin(ApiAnswer):
    """Where something comes from. ``memory`` and its ``versions`` are those of a fact, else null and empty."""

    id: UUID
    lane: Lane
    evidence: list[Quote]
    memory: Memory | None
    versions: list[Version]


class ProfileRequest(ApiRequest):
    """The caller's own."""


class Profile(ApiAnswer):
    """Empty where nothing is known yet."""

    text: str


class RecentRequest(ApiRequest):
    """How much of what is newest."""

    limit: Annotated[int, Field(ge=1, le=100, description="How many at most, newest first.")] = 20


class Recent(ApiAnswer):
    """What was learned and talked about last, the newest first."""

    memories: list[Memory]
    sessions: list[Session]


@endpoint("GET /why/{id}", tool="why", example={"id": "0198c0de-0000-7000-8000-000000000001"})
async def explain(asked: WhyRequest, call: ApiCall) -> Origin:
    """Show where something that is remembered comes from: the words said, verified now, and its history."""
    source = await _find_source(asked.id, call)
    proofs = await fetch_proofs(call.memory, call.scope, [source])
    quotes = [Quote.model_validate(each) for each in proofs[source.source_id]]
    if source.lane != "fact":
        return Origin(id=asked.id, lane=source.lane, evidence=quotes, memory=None, versions=[])
    items = call.memory.items
    item, versions = await items.get(call.scope, asked.id), await items.history(call.scope, asked.id)
    told = [version_view(each) for each in versions]
    return Origin(id=asked.id, lane=source.lane, evidence=quotes, memory=memory_view(item), versions=told)


@endpoint("GET /profile", tool="profile")
async def read_profile(asked: ProfileRequest, call: ApiCall) -> Profile:
    """Read what is known about this user as one short text."""
    found = await call.memory.documents.find(call.scope, (document_id_from_name(call.scope, PROFILE_NAME),))
    return Profile(text=text_view(found[0]).text if found else "")


@endpoint("GET /recent", tool="recent", example={"limit": 20})
async def list_recent(asked: RecentRequest, call: ApiCall) -> Recent:
    """List the newest memories that are in use, and the last conversations."""
    items = await call.memory.items.list_newest(call.scope, limit=asked.limit)
    sessions = await call.memory.sessions.list_newest(call.scope, limit=asked.limit)
    return Recent(
        memories=[memory_view(each) for each in items if not each.is_withheld],
        sessions=[session_view(each) for each in sessions],
    )


async def _find_source(named: UUID, call: ApiCall) -> Source:
    """What has this id. Raises ``E_NOT_FOUND`` also for what was forgotten or excluded, and for what is another's."""
    if any(not each.is_withheld for each in await call.memory.items.get_many(call.scope, [named])):
        return Source(named, "fact")
    if await call.memory.log.events(call.scope, [named]):
        return Source(named, "turn")
    if any(not each.withdrawn for each in await call.memory.sessions.find(call.scope, [named])):
        return Source(named, "summary")
    raise BrainError("E_NOT_FOUND", "Nothing that is remembered has this id.", "Take an id from recall or recent.")
