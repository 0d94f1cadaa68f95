"""Memories one by one: listed, read, corrected, forgotten, restored, confirmed, pinned and excluded."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import STORABLE, ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply, Text
from apps.memory_api.paging import Page, PageRequest, read_page
from brain.documents.profile_refresh import try_refresh_profile
from language.secrets import mask_secrets
from memory.contracts import EpistemicType, ItemStatus, ItemType, ItemUse, MemoryItem, WriteReceipt, WriteStatus
from memory.paging import Cursor
from memory.revision import last_version_in_use, provenance_level
from skills.memory import require_harmless

Content = Annotated[
    str, Field(min_length=2, max_length=4_000, pattern=r"\S", description="One full sentence."), STORABLE
]
Reason = Annotated[Text, Field(min_length=1, max_length=500, description="Why; kept in the history.")]
ASKED = "asked for over the API"


class MemoryList(PageRequest):
    """``all`` also lists what was superseded and forgotten."""

    all: bool = False


class OneMemory(ApiRequest):
    """Which memory."""

    id: UUID


class Correction(OneMemory):
    """What is true instead."""

    content: Content
    reason: Reason = ASKED


class Change(OneMemory):
    """A change that needs no further words."""

    reason: Reason = ASKED


class UseChange(Change):
    """``pinned`` stands in every prompt, ``excluded`` in none, ``auto`` where it bears on what is said."""

    use: ItemUse


class Restoration(Change):
    """Which version to bring back; the last one that was in use when none is named."""

    version: Annotated[int | None, Field(ge=1, le=1_000_000)] = None


class Memory(ApiAnswer):
    """A memory as it stands. ``provenance`` tells how it became known; a pin counts while the memory is active."""

    id: UUID
    type: ItemType
    content: str
    subject: str
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
    memory: Memory


def memory_view(item: MemoryItem) -> Memory:
    """A memory as clients see it."""
    return Memory(
        id=item.memory_id,
        type=item.memory_type,
        content=mask_secrets(item.content),
        subject=item.subject,
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


async def list_memories(asked: MemoryList, call: ApiCall) -> Reply[Page[Memory]]:
    """The last ones changed first."""
    items = call.resources.memory.items
    return Reply(
        await read_page(
            asked,
            lambda limit, after: items.list_newest(call.scope, include_inactive=asked.all, limit=limit, after=after),
            lambda item: Cursor(item.updated_at, item.memory_id),
            memory_view,
        )
    )


async def get_memory(asked: OneMemory, call: ApiCall) -> Reply[Memory]:
    """One memory, forgotten ones included."""
    return Reply(memory_view(await call.resources.memory.items.get(call.scope, asked.id)))


async def correct_memory(asked: Correction, call: ApiCall) -> Reply[WriteResult]:
    """Replace what it says; it counts as confirmed by the person."""
    require_harmless(asked.content)
    author = call.make_author(f"correct:{asked.id}", asked.reason)
    return await finish_write(call.resources.memory.items.correct(call.scope, asked.id, asked.content, author), call)


async def forget_memory(asked: Change, call: ApiCall) -> Reply[WriteResult]:
    """Gone from every reading at once, kept in its history."""
    author = call.make_author(f"forget:{asked.id}", asked.reason)
    return await finish_write(call.resources.memory.items.forget(call.scope, asked.id, author), call)


async def confirm_memory(asked: Change, call: ApiCall) -> Reply[WriteResult]:
    """The person vouches for it."""
    author = call.make_author(f"confirm:{asked.id}", asked.reason)
    return await finish_write(call.resources.memory.items.confirm(call.scope, asked.id, author), call)


async def set_memory_use(asked: UseChange, call: ApiCall) -> Reply[WriteResult]:
    """Pin it, exclude it from use, or neither; effective in the next turn."""
    author = call.make_author(f"use:{asked.id}:{asked.use}", asked.reason)
    return await finish_write(call.resources.memory.items.set_use(call.scope, asked.id, asked.use, author), call)


async def restore_memory(asked: Restoration, call: ApiCall) -> Reply[WriteResult]:
    """Bring an earlier version back as a new one."""
    items = call.resources.memory.items
    await items.get(call.scope, asked.id)
    version = asked.version or last_version_in_use(await items.history(call.scope, asked.id))
    author = call.make_author(f"restore:{asked.id}", asked.reason)
    return await finish_write(items.restore(call.scope, asked.id, version, author), call)


async def finish_write(write: Awaitable[WriteReceipt], call: ApiCall) -> Reply[WriteResult]:
    """What was written, with the profile brought up to it."""
    receipt = await write
    await try_refresh_profile(call.resources, call.scope)
    return Reply(view_write(receipt, await call.resources.memory.items.get(call.scope, receipt.memory_id)))


def view_write(receipt: WriteReceipt, item: MemoryItem) -> WriteResult:
    """What a write did, as clients see it."""
    return WriteResult(status=receipt.status, receipt_id=receipt.receipt_id, memory=memory_view(item))


_ID: dict[str, Any] = {"id": "0198c0de-0000-7000-8000-000000000001"}
MEMORIES, _ONE = "/v1/memory/memories", "/v1/memory/memories/{id}"

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path=MEMORIES,
        summary="List memories, the last ones changed first.",
        request=MemoryList,
        answer=Page[Memory],
        run=list_memories,
        example={"limit": 20},
    ),
    Endpoint(
        method="GET",
        path=_ONE,
        summary="Read a memory.",
        request=OneMemory,
        answer=Memory,
        run=get_memory,
        example=_ID,
    ),
    Endpoint(
        method="PATCH",
        path=_ONE,
        summary="Say what is true instead.",
        request=Correction,
        answer=WriteResult,
        run=correct_memory,
        scope="memory:write",
        example={**_ID, "content": "Ann lives in Lyon."},
    ),
    Endpoint(
        method="DELETE",
        path=_ONE,
        summary="Forget a memory.",
        request=Change,
        answer=WriteResult,
        run=forget_memory,
        scope="memory:write",
        example=_ID,
    ),
    Endpoint(
        method="POST",
        path=f"{_ONE}/confirm",
        summary="Vouch for a memory.",
        request=Change,
        answer=WriteResult,
        run=confirm_memory,
        scope="memory:write",
        example={**_ID, "reason": "Ann said so again."},
    ),
    Endpoint(
        method="PUT",
        path=f"{_ONE}/use",
        summary="Pin a memory, exclude it from use, or neither.",
        request=UseChange,
        answer=WriteResult,
        run=set_memory_use,
        scope="memory:write",
        example={**_ID, "use": "pinned"},
    ),
    Endpoint(
        method="POST",
        path=f"{_ONE}/restore",
        summary="Bring an earlier version back.",
        request=Restoration,
        answer=WriteResult,
        run=restore_memory,
        scope="memory:write",
        example={**_ID, "version": 1},
    ),
)
