"""Memories one by one: listed, added, read, corrected, forgotten, restored, confirmed, pinned and excluded."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import STORABLE, ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply, Text
from apps.memory_api.paging import Page, PageRequest, read_page
from brain.documents.profile_refresh import try_refresh_profile
from language.predicates import object_key
from language.secrets import mask_secrets
from memory.contracts import Author, EpistemicType, ItemStatus, ItemType, ItemUse, MemoryItem, WriteReceipt, WriteStatus
from memory.errors import BrainError
from memory.paging import Cursor
from memory.revision import is_program_conclusion, last_version_in_use, provenance_level
from memory.scope import session_id_of
from skills.memory import Note, NoteKind, draft_note, require_harmless

SESSION = "api"
"""The conversation that memories without a turn belong to."""
_MOST_KEYS = 100
"""How often the memory of a key may have ended, or become a person's, and been written again."""

Content = Annotated[
    str, Field(min_length=2, max_length=4_000, pattern=r"\S", description="One full sentence."), STORABLE
]
Reason = Annotated[Text, Field(min_length=1, max_length=500, description="Why; kept in the history.")]
_ASKED = "asked for over the API"


class MemoryList(PageRequest):
    """``all`` also lists what was superseded and forgotten."""

    all: bool = False


class OneMemory(ApiRequest):
    """Which memory."""

    id: UUID


class NewMemory(ApiRequest):
    """Something to remember. ``confirmed``: the person said so, and it is no conclusion of a program's."""

    content: Content
    kind: NoteKind = "fact"
    confirmed: bool = False
    reason: Reason = _ASKED


class KeyedMemory(NewMemory):
    """The same under a name of the caller's own: what it said before is corrected."""

    key: Annotated[Text, Field(min_length=1, max_length=200)]


class Correction(OneMemory):
    """What is true instead."""

    content: Content
    reason: Reason = _ASKED


class Change(OneMemory):
    """A change that needs no further words."""

    reason: Reason = _ASKED


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


async def create_memory(new: NewMemory, call: ApiCall) -> Reply[WriteResult]:
    """Add one; what is known already is merged with it. Raises ``E_CONFLICT`` for a key that stands for another."""
    return await _finish(_write_once(new, call), call)


async def upsert_memory(new: KeyedMemory, call: ApiCall) -> Reply[WriteResult]:
    """Add the memory of a key, or change what it says; one that was forgotten is written anew."""
    receipt, held = await _write_keyed(new, call)
    if held.content == new.content or not (new.confirmed or _is_own(receipt, held)):
        return Reply(_write_result(receipt, held))
    items, author = call.resources.memory.items, call.make_author(f"upsert:{held.memory_id}", new.reason)
    change = items.correct if new.confirmed else items.restate
    return await _finish(change(call.scope, held.memory_id, new.content, author), call)


async def correct_memory(asked: Correction, call: ApiCall) -> Reply[WriteResult]:
    """Replace what it says; it counts as confirmed by the person."""
    require_harmless(asked.content)
    author = call.make_author(f"correct:{asked.id}", asked.reason)
    return await _finish(call.resources.memory.items.correct(call.scope, asked.id, asked.content, author), call)


async def forget_memory(asked: Change, call: ApiCall) -> Reply[WriteResult]:
    """Gone from every reading at once, kept in its history."""
    author = call.make_author(f"forget:{asked.id}", asked.reason)
    return await _finish(call.resources.memory.items.forget(call.scope, asked.id, author), call)


async def confirm_memory(asked: Change, call: ApiCall) -> Reply[WriteResult]:
    """The person vouches for it."""
    author = call.make_author(f"confirm:{asked.id}", asked.reason)
    return await _finish(call.resources.memory.items.confirm(call.scope, asked.id, author), call)


async def set_memory_use(asked: UseChange, call: ApiCall) -> Reply[WriteResult]:
    """Pin it, exclude it from use, or neither; effective in the next turn."""
    author = call.make_author(f"use:{asked.id}:{asked.use}", asked.reason)
    return await _finish(call.resources.memory.items.set_use(call.scope, asked.id, asked.use, author), call)


async def restore_memory(asked: Restoration, call: ApiCall) -> Reply[WriteResult]:
    """Bring an earlier version back as a new one."""
    items = call.resources.memory.items
    await items.get(call.scope, asked.id)
    version = asked.version or last_version_in_use(await items.history(call.scope, asked.id))
    author = call.make_author(f"restore:{asked.id}", asked.reason)
    return await _finish(items.restore(call.scope, asked.id, version, author), call)


async def _finish(write: Awaitable[WriteReceipt], call: ApiCall) -> Reply[WriteResult]:
    """What was written, with the profile brought up to it."""
    receipt = await write
    await try_refresh_profile(call.resources, call.scope)
    return Reply(_write_result(receipt, await call.resources.memory.items.get(call.scope, receipt.memory_id)))


def _write_result(receipt: WriteReceipt, item: MemoryItem) -> WriteResult:
    return WriteResult(status=receipt.status, receipt_id=receipt.receipt_id, memory=memory_view(item))


async def _write_once(new: NewMemory, call: ApiCall) -> WriteReceipt:
    """The receipt of a memory that says it, or said it before it was corrected. Raises ``E_CONFLICT``."""
    receipt = await _write(new, call.make_author("create", new.reason), call)
    if not call.idempotency_key:
        return receipt
    versions = await call.resources.memory.items.history(call.scope, receipt.memory_id)
    if not any(_says_same(str(each.snapshot["content"]), new.content) for each in versions):
        raise BrainError("E_CONFLICT", "This Idempotency-Key stands for another memory.", "Use a key of its own.")
    return receipt


def _says_same(one: str, other: str) -> bool:
    return object_key(one) == object_key(other)


async def _write(new: NewMemory, author: Author, call: ApiCall) -> WriteReceipt:
    require_harmless(new.content)
    note = Note(text=new.content, kind=new.kind, quoted=new.confirmed)
    draft = draft_note(note, author.at, session_id_of(call.scope, SESSION))
    return await call.resources.memory.items.write(call.scope, draft, author)


async def _write_keyed(new: KeyedMemory, call: ApiCall) -> tuple[WriteReceipt, MemoryItem]:
    """The key's memory that is in use, and its receipt: the same key of a write brings the same memory.

    A program's conclusion leaves a memory alone that another wrote or a person vouches for: the key gets a new one.
    """
    for number in range(_MOST_KEYS):
        author = Author(
            operator=call.identity.user,
            reason=new.reason,
            idempotency_key=f"api:memory_key:{number}:{new.key}",
            at=call.resources.clock(),
            trace_id=call.trace_id,
        )
        receipt = await _write(new, author, call)
        held = await call.resources.memory.items.get(call.scope, receipt.memory_id)
        may_change = new.confirmed or _is_own(receipt, held)
        if held.status == "active" and (may_change or _says_same(held.content, new.content)):
            return receipt, held
    raise BrainError("E_CONFLICT", f"The memory of this key ended {_MOST_KEYS} times.", "Use another key.")


def _is_own(receipt: WriteReceipt, held: MemoryItem) -> bool:
    """Whether the key alone made it, and no person's word is in it."""
    return receipt.status == "accepted" and is_program_conclusion(held)


_ID: dict[str, Any] = {"id": "0198c0de-0000-7000-8000-000000000001"}
_NEW: dict[str, Any] = {"content": "Ann lives in Ghent.", "kind": "fact", "confirmed": True}
_MEMORIES, _ONE = "/v1/memory/memories", "/v1/memory/memories/{id}"

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path=_MEMORIES,
        summary="List memories, the last ones changed first.",
        request=MemoryList,
        answer=Page[Memory],
        run=list_memories,
        example={"limit": 20},
    ),
    Endpoint(
        method="POST",
        path=_MEMORIES,
        summary="Remember something.",
        request=NewMemory,
        answer=WriteResult,
        run=create_memory,
        scope="memory:write",
        status=201,
        example=_NEW,
    ),
    Endpoint(
        method="PUT",
        path=_MEMORIES,
        summary="Write the memory of a key: add it, or correct what it says.",
        request=KeyedMemory,
        answer=WriteResult,
        run=upsert_memory,
        scope="memory:write",
        example={"key": "home", **_NEW},
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
