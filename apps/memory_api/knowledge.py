"""What the organisation knows: looked through by everybody of the tenant, written by those who run it."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.memory_api.endpoint import ApiCall, endpoint
from apps.memory_api.knowledge_entries import (
    EntryEdit,
    EntryHistory,
    EntryHit,
    EntryHits,
    EntryList,
    EntryRemoval,
    EntrySearch,
    EntryVersionView,
    EntryView,
    NewEntry,
    OneEntry,
    RelationText,
)
from apps.memory_api.paging import Page, build_page, read_cursor_text, unknown_cursor, write_cursor_text
from brain.knowledge_question import knowledge_question
from brain.knowledge_writing import index_draft, require_store
from knowledge.entries import (
    Author,
    EntryFilter,
    EntryVersion,
    StoredEntry,
)
from language.secrets import mask_secrets
from memory.errors import BrainError

_ONE = "/knowledge/{id}"
_ID = "0198c0de-0000-7000-8000-000000000042"


@endpoint("GET /knowledge", command="knowledge list", example={"limit": 20})
async def list_knowledge(asked: EntryList, call: ApiCall) -> Page[EntryView]:
    """List what the organisation knows, the newest first."""
    wanted = EntryFilter(
        kind=asked.kind or "", topic=asked.topic, source=asked.source, brand=asked.brand, removed=asked.removed
    )
    after = _read_cursor(asked.cursor)
    found = await require_store(call.resources).list_entries(
        call.scope.tenant_id, _for_caller(wanted, call), asked.limit + 1, after
    )
    return build_page(
        found, asked.limit, lambda e: write_cursor_text(e.updated_at.isoformat(), str(e.entry_id)), entry_view
    )


@endpoint(
    "POST /knowledge", scope="admin", status=201, command="knowledge add", example={"text": "Shops close at eight."}
)
async def add_knowledge(asked: NewEntry, call: ApiCall) -> EntryView:
    """Add one thing that the organisation knows."""
    store, draft = require_store(call.resources), asked.draft()
    if call.idempotency_key:
        draft = replace(draft, source_key=f"{call.idempotency_key[:150]}:{draft.sha256.hex()[:16]}")
    indexed = await index_draft(call.resources, draft, call.resources.new_id())
    written = await store.put(call.scope.tenant_id, [indexed], _author(call, asked.reason))
    return await _view(call, await _fetch(call, written.entry_ids[0]))


@endpoint(
    "POST /knowledge/search", tool="knowledge", command="knowledge search", example={"text": "When do shops close?"}
)
async def search_knowledge(asked: EntrySearch, call: ApiCall) -> EntryHits:
    """Find what the organisation knows about something."""
    question = knowledge_question(call.identity, call.context, asked.text, call.resources.clock())
    found = await call.resources.knowledge.search(question, asked.limit)
    return EntryHits(
        entries=[EntryHit.model_validate({**vars(each), "text": mask_secrets(each.text)}) for each in found]
    )


@endpoint(f"GET {_ONE}", command="knowledge show", example={"id": _ID})
async def read_knowledge(asked: OneEntry, call: ApiCall) -> EntryView:
    """Read one entry, a removed one as well."""
    return await _view(call, await _fetch(call, asked.id))


@endpoint(f"GET {_ONE}/history", command="knowledge history", example={"id": _ID})
async def list_knowledge_versions(asked: OneEntry, call: ApiCall) -> EntryHistory:
    """List what an entry said before, as far as it was for the caller: who wrote each revision, when and why."""
    entry = await _fetch(call, asked.id)
    before = await require_store(call.resources).history(call.scope.tenant_id, asked.id)
    told = [
        _version_view(each, each.recorded_at, str(each.snapshot.get("text", "")), each.snapshot.get("removed_at"))
        for each in before
        if _is_for(call, str(each.snapshot.get("org_tier", "")), str(each.snapshot.get("role", "")))
    ]
    return EntryHistory(versions=[*told, _version_view(entry, entry.updated_at, entry.text, entry.removed_at)])


@endpoint(f"PUT {_ONE}", scope="admin", example={"id": _ID, "text": "Shops close at nine.", "revision": 1})
async def edit_knowledge(asked: EntryEdit, call: ApiCall) -> EntryView:
    """Say something else in an entry; what it said before stays in its history."""
    store, tenant_id = require_store(call.resources), call.scope.tenant_id
    held = await _fetch(call, asked.id)
    indexed = await index_draft(call.resources, asked.draft(held.source, held.source_key), asked.id)
    edited = await store.edit(tenant_id, indexed, asked.revision, _author(call, asked.reason))
    if edited is None:
        told = f"The entry is at revision {held.revision}" + (", and removed." if held.removed_at else ".")
        raise BrainError("E_CONFLICT", told, "Read it again and put the change into what it says now.")
    return await _view(call, edited)


@endpoint(f"DELETE {_ONE}", scope="admin", command="knowledge remove", example={"id": _ID})
async def remove_knowledge(asked: EntryRemoval, call: ApiCall) -> EntryView:
    """Take an entry out of every answer at once. Its history stays; reading its source again brings it back."""
    store, tenant_id = require_store(call.resources), call.scope.tenant_id
    removed = await store.remove(tenant_id, asked.id, _author(call, asked.reason))
    return await _view(call, removed or await _fetch(call, asked.id))


def entry_view(entry: StoredEntry) -> EntryView:
    """An entry without what it relates."""
    return EntryView.model_validate({**vars(entry), "text": mask_secrets(entry.text)})


async def fetch_entries(call: ApiCall, entry_ids: list[UUID]) -> dict[UUID, StoredEntry]:
    """Those of the entries that the caller may see."""
    found = await require_store(call.resources).find(call.scope.tenant_id, entry_ids)
    return {each.entry_id: each for each in found if _may_see(each, call)}


async def _fetch(call: ApiCall, entry_id: UUID) -> StoredEntry:
    found = await fetch_entries(call, [entry_id])
    if entry_id not in found:
        raise BrainError("E_NOT_FOUND", "There is no such entry.")
    return found[entry_id]


async def _view(call: ApiCall, entry: StoredEntry) -> EntryView:
    relations = await require_store(call.resources).relations(call.scope.tenant_id, entry.entry_id)
    told = [RelationText.model_validate(vars(each)) for each in relations]
    return entry_view(entry).model_copy(update={"relations": told})


def _version_view(
    said: EntryVersion | StoredEntry, recorded_at: datetime, text: str, removed_at: object
) -> EntryVersionView:
    return EntryVersionView(
        revision=said.revision,
        text=mask_secrets(text),
        author=said.author,
        reason=said.reason,
        recorded_at=recorded_at,
        removed=removed_at is not None,
    )


def _may_see(entry: StoredEntry, call: ApiCall) -> bool:
    return _is_for(call, entry.org_tier, entry.role)


def _is_for(call: ApiCall, org_tier: str, role: str) -> bool:
    """Who runs the tenant sees all; everybody else what is for their tier and role."""
    return call.is_operator or (org_tier in ("", call.identity.org_tier) and role in ("", call.identity.role))


def _for_caller(wanted: EntryFilter, call: ApiCall) -> EntryFilter:
    if call.is_operator:
        return wanted
    return replace(wanted, readers=(call.identity.org_tier, call.identity.role))


def _author(call: ApiCall, reason: str) -> Author:
    return Author(name=call.identity.user, reason=call.reason(reason), at=call.resources.clock())


def _read_cursor(text: str) -> tuple[datetime, UUID] | None:
    if not text:
        return None
    at, entry_id = read_cursor_text(text, 2)
    try:
        return datetime.fromisoformat(at), UUID(entry_id)
    except ValueError:
        raise unknown_cursor() from None
