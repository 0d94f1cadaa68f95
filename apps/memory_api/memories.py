"""Memories one by one: listed, read, corrected, forgotten, restored, confirmed, pinned and excluded."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import STORABLE, ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from apps.memory_api.paging import Page, PageRequest, read_page
from brain.documents.profile_refresh import try_refresh_profile
from language.secrets import mask_secrets
from memory.memory_item import EpistemicType, ItemStatus, ItemType, ItemUse, MemoryItem, WriteReceipt, WriteStatus
from memory.paging import Cursor
from memory.provenance import provenance_level
from memory.versions import last_version_in_use
from skills.memory import require_harmless

Statement = Annotated[
    str, Field(min_length=2, max_length=4_000, pattern=r"\S", description="One full sentence."), STORABLE
]
Reason = Annotated[Text, Field(max_length=500, description="Why; kept in the history.")]
EXAMPLE: dict[str, Any] = {"id": "0198c0de-0000-7000-8000-000000000001"}
ONE = "/memories/{id}"
VersionNumber = Annotated[
    int | None,
    Field(ge=1, le=1_000_000, description="The version; the last one that was in use when none is named."),
]


class MemoryList(PageRequest):
    """Which memories."""

    all: Annotated[bool, Field(description="Also what was superseded and forgotten.")] = False


class OneMemory(ApiRequest):
    """Which memory."""

    id: Annotated[UUID, Field(description="The memory's id.")]


class MemoryCorrection(OneMemory):
    """What is true instead."""

    text: Statement
    reason: Reason = ""


class Change(OneMemory):
    """A change that needs no further words."""

    reason: Reason = ""


class UseChange(Change):
    """``pinned`` stands in every prompt, ``excluded`` in none, ``auto`` where it bears on what is said."""

    use: ItemUse


class Restoration(Change):
    """Which version to bring back; the last one that was in use when none is named."""

    version: VersionNumber = None


class Memory(ApiAnswer):
    """A memory as it stands. ``provenance`` tells how it became known; a pin counts while the memory is active."""

    id: UUID
    type: ItemType
    text: str
    subject: str
    predicate: str
    object: str
    negated: bool
    category: str
    status: ItemStatus
    use: ItemUse
    epistemic_type: EpistemicType | None
    provenance: str
    confidence: float
    version: int
    stale: bool
    superseded_by: UUID | None
    valid_at: datetime
    invalid_at: datetime | None
    created_at: datetime
    updated_at: datetime
    confirmed_at: datetime | None


class WriteResult(ApiAnswer):
    """``status`` tells what a write did; ``memory`` is as it stands after it."""

    status: WriteStatus
    receipt_id: UUID
    trace_id: str
    memory: Memory


def memory_view(item: MemoryItem) -> Memory:
    """A memory as clients see it."""
    return Memory(
        id=item.memory_id,
        type=item.memory_type,
        text=mask_secrets(item.content),
        subject=item.subject,
        predicate=item.predicate,
        object=mask_secrets(item.object),
        negated=item.negated,
        category=item.category,
        status=item.status,
        use=item.use,
        epistemic_type=item.epistemic_type,
        provenance=provenance_level(item),
        confidence=round(item.confidence, 4),
        version=item.version,
        stale=item.stale,
        superseded_by=item.superseded_by,
        valid_at=item.valid_at,
        invalid_at=item.invalid_at,
        created_at=item.created_at,
        updated_at=item.updated_at,
        confirmed_at=item.last_validated_at,
    )


@endpoint("GET /memories", command="memories list", example={"limit": 20})
async def list_memories(asked: MemoryList, call: ApiCall) -> Page[Memory]:
    """List memories, the last ones changed first."""
    items = call.memory.items
    return await read_page(
        asked,
        lambda limit, after: items.list_newest(call.scope, include_inactive=asked.all, limit=limit, after=after),
        lambda item: Cursor(item.updated_at, item.memory_id),
        memory_view,
    )


@endpoint(
    f"PATCH {ONE}",
    scope="memory:write",
    command="memories correct",
    example={**EXAMPLE, "text": "Ann lives in Lyon."},
)
async def correct_memory(asked: MemoryCorrection, call: ApiCall) -> WriteResult:
    """Say what is true instead.

    It counts as confirmed by the person.
    """
    if call.is_program:
        require_harmless(asked.text)
    author = call.make_author(f"correct:{asked.id}", asked.reason)
    return await finish_write(call.memory.items.correct(call.scope, asked.id, asked.text, author), call)


@endpoint(f"DELETE {ONE}", scope="memory:write", command="memories forget", example=EXAMPLE)
async def forget_memory(asked: Change, call: ApiCall) -> WriteResult:
    """Forget a memory: gone from every reading at once, kept in its history."""
    author = call.make_author(f"forget:{asked.id}", asked.reason)
    return await finish_write(call.memory.items.forget(call.scope, asked.id, author), call)


@endpoint(
    f"POST {ONE}/confirm",
    scope="memory:write",
    command="memories confirm",
    example={**EXAMPLE, "reason": "Ann said so again."},
)
async def confirm_memory(asked: Change, call: ApiCall) -> WriteResult:
    """Vouch for a memory."""
    author = call.make_author(f"confirm:{asked.id}", asked.reason)
    return await finish_write(call.memory.items.confirm(call.scope, asked.id, author), call)


@endpoint(f"PUT {ONE}/use", scope="memory:write", command="memories use", example={**EXAMPLE, "use": "pinned"})
async def set_memory_use(asked: UseChange, call: ApiCall) -> WriteResult:
    """Pin a memory, exclude it from use, or neither."""
    author = call.make_author(f"use:{asked.id}:{asked.use}", asked.reason)
    return await finish_write(call.memory.items.set_use(call.scope, asked.id, asked.use, author), call)


@endpoint(
    f"POST {ONE}/restore",
    scope="memory:write",
    command="memories restore",
    example={**EXAMPLE, "version": 1},
)
async def restore_memory(asked: Restoration, call: ApiCall) -> WriteResult:
    """Bring an earlier version back as a new one; what was forgotten comes back as it last was."""
    items = call.memory.items
    await items.get(call.scope, asked.id)
    version = asked.version or last_version_in_use(await items.history(call.scope, asked.id))
    author = call.make_author(f"restore:{asked.id}:{version}", asked.reason)
    return await finish_write(items.restore(call.scope, asked.id, version, author), call)


async def finish_write(write: Awaitable[WriteReceipt], call: ApiCall) -> WriteResult:
    """What was written, with the profile brought up to it."""
    receipt = await write
    await try_refresh_profile(call.resources, call.scope)
    return view_write(receipt, await call.memory.items.get(call.scope, receipt.memory_id))


def view_write(receipt: WriteReceipt, item: MemoryItem) -> WriteResult:
    """What a write did, as clients see it."""
    return WriteResult(
        status=receipt.status, receipt_id=receipt.receipt_id, trace_id=receipt.trace_id, memory=memory_view(item)
    )
