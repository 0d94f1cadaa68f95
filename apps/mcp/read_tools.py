"""The tools that change nothing: recall, why, profile, recent, documents."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.mcp.tool import Answer, MemoryTool
from apps.views.proof import Source, fetch_proofs
from brain.recall import recall
from language.secrets import mask_secrets
from memory.contracts import MemoryItem
from memory.documents.document import (
    PROFILE_NAME,
    Document,
    document_id,
    document_id_from_name,
    profile_kind,
    without_comments,
)
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.recall.policy import RankedCandidate
from memory.recall.query import Filters
from memory.scope import Scope
from skills.context import ToolContext
from skills.memory import From, SearchMemory, Until, is_showable, period, request_of
from skills.tool import Arguments, Words

_MOST_DOCUMENTS = 100

Limit = Annotated[int, Field(ge=1, le=100, description="How many at most, newest first.")]


class Recall(SearchMemory):
    """Arguments of ``recall``."""

    time_from: From = None
    time_to: Until = None
    all: Annotated[bool, Field(description="Also what hardly bears on the question.")] = False


class Why(Arguments):
    """Arguments of ``why``."""

    id: Annotated[UUID, Field(description="The id of something that recall or recent found.")]


class NoArguments(Arguments):
    """Arguments of a tool that takes none."""


class Recent(Arguments):
    """Arguments of ``recent``."""

    limit: Limit = 20


class Documents(Arguments):
    """Arguments of ``documents``."""

    name: Annotated[
        Words, Field(max_length=100, description="MEMORY, profile, or a day (2026-03-01); empty lists all.")
    ] = ""


async def recall_memories(arguments: Recall, context: ToolContext) -> Answer:
    """What bears on a question, best first, without plain attacks in other voices."""
    filters = Filters(observed=period(arguments.time_from, arguments.time_to))
    asked = replace(request_of(arguments, context), filters=filters)
    found = await recall(context.resources, context.identity.scope, asked)
    chosen = found.ranked if arguments.all else found.relevant
    hits = [_hit(each) for each in chosen if is_showable(each.candidate)]
    return {"found": hits, "degraded": list(found.degraded)}


async def explain(arguments: Why, context: ToolContext) -> Answer:
    """The words that something rests on, verified against their hashes now, and how it changed."""
    memory, scope = context.resources.memory, context.identity.scope
    source = await _find_source(memory, scope, arguments.id)
    proofs = await fetch_proofs(memory, scope, [source])
    told: Answer = {"id": str(arguments.id), "lane": source.lane, "evidence": _plain(proofs[source.source_id])}
    if source.lane != "fact":
        return told
    item, versions = await memory.items.get(scope, arguments.id), await memory.items.history(scope, arguments.id)
    changes = [
        {"version": each.version, "change": each.change, "by": each.operator, "at": each.recorded_at.isoformat()}
        for each in versions
    ]
    return {**told, "memory": describe_item(item), "history": changes}


async def read_profile(arguments: NoArguments, context: ToolContext) -> Answer:
    """The profile as it stands in prompts."""
    scope = context.identity.scope
    profile = document_id(scope, profile_kind(scope), PROFILE_NAME)
    found = await context.resources.memory.documents.find(scope, (profile,))
    return _text(found[0]) if found else {"name": PROFILE_NAME, "text": ""}


async def list_recent(arguments: Recent, context: ToolContext) -> Answer:
    """What was learned and talked about last."""
    memory, scope = context.resources.memory, context.identity.scope
    items = await memory.items.list_newest(scope, limit=arguments.limit)
    used = [each for each in items if not each.is_withheld]
    sessions = await memory.sessions.list_newest(scope, limit=arguments.limit)
    conversations = [
        {"name": each.name, "status": each.status, "turns": each.turns, "last_at": each.last_at.isoformat()}
        for each in sessions
    ]
    return {"memories": [describe_item(each) for each in used], "conversations": conversations}


async def read_documents(arguments: Documents, context: ToolContext) -> Answer:
    """The list of documents, or the text of one."""
    documents, scope = context.resources.memory.documents, context.identity.scope
    if arguments.name.strip():
        return _text(await documents.get(scope, document_id_from_name(scope, arguments.name.strip())))
    listed = await documents.list_documents(scope, limit=_MOST_DOCUMENTS)
    return {"documents": [_head(each) for each in listed]}


def describe_item(item: MemoryItem) -> Answer:
    """A memory as clients see it."""
    return {
        "id": str(item.memory_id),
        "type": item.memory_type,
        "content": mask_secrets(item.content),
        "since": item.valid_at.isoformat(),
        "confidence": round(item.confidence, 2),
        "status": item.status,
        "version": item.version,
    }


def _hit(ranked: RankedCandidate) -> Answer:
    found = ranked.candidate
    return {
        "id": str(found.turn_id if found.lane == "turn" else found.source_id),
        "lane": found.lane,
        "text": found.text,
        "about": found.about,
        "speaker": found.speaker,
        "role": found.role,
        "said_at": found.observed_at.isoformat(),
        "score": round(ranked.score, 3),
    }


async def _find_source(memory: MemoryCore, scope: Scope, named: UUID) -> Source:
    """What has this id. Raises ``E_NOT_FOUND`` also for what was forgotten or excluded, and for what is another's."""
    if any(not each.is_withheld for each in await memory.items.get_many(scope, [named])):
        return Source(named, "fact")
    if await memory.log.events(scope, [named]):
        return Source(named, "turn")
    if any(not each.withdrawn for each in await memory.sessions.find(scope, [named])):
        return Source(named, "summary")
    raise BrainError("E_NOT_FOUND", "Nothing that is remembered has this id.", "Take an id from recall or recent.")


def _plain(proofs: Sequence[object]) -> list[Answer]:
    return [{name: value for name, value in asdict(each).items() if name != "turn_id"} for each in proofs]  # pyright: ignore


def _head(document: Document) -> Answer:
    return {
        "kind": document.kind,
        "name": document.name,
        "version": document.version,
        "updated_at": document.updated_at.isoformat(),
        "by": document.author,
    }


def _text(document: Document) -> Answer:
    return {**_head(document), "text": mask_secrets(without_comments(document.body)).strip()}


RECALL = MemoryTool(
    name="recall",
    description="Search all that is remembered about this user: facts, preferences, plans, conversations, documents.",
    arguments=Recall,
    run=recall_memories,
)
WHY = MemoryTool(
    name="why",
    description="Show where something that is remembered comes from: the words said, verified now, and its history.",
    arguments=Why,
    run=explain,
)
PROFILE = MemoryTool(
    name="profile",
    description="Read what is known about this user as one short text.",
    arguments=NoArguments,
    run=read_profile,
)
RECENT = MemoryTool(
    name="recent", description="List the newest memories and the last conversations.", arguments=Recent, run=list_recent
)
DOCUMENTS = MemoryTool(
    name="documents",
    description="List the documents that memory keeps (daily notes, MEMORY, profile), or read one by its name.",
    arguments=Documents,
    run=read_documents,
)
