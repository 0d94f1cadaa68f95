"""Memories that a program adds: once, or under a key of its own that is written again."""

from typing import Annotated, Any

from pydantic import Field

from apps.memory_api.endpoint import ApiCall, ApiRequest, Endpoint, Reply, Text
from apps.memory_api.memories import ASKED, MEMORIES, Content, Reason, WriteResult, finish_write, view_write
from language.predicates import object_key
from memory.contracts import Author, MemoryItem, WriteReceipt
from memory.errors import BrainError
from memory.revision import is_program_conclusion
from memory.scope import session_id_of
from skills.memory import Note, NoteKind, draft_note, require_harmless

SESSION = "api"
"""The conversation that memories without a turn belong to."""
_MOST_KEYS = 100
"""How often the memory of a key may have ended, or become a person's, and been written again."""


class NewMemory(ApiRequest):
    """Something to remember. ``confirmed``: the person said so, and it is no conclusion of a program's."""

    content: Content
    kind: NoteKind = "fact"
    confirmed: bool = False
    reason: Reason = ASKED


class KeyedMemory(NewMemory):
    """The same under a name of the caller's own: what it said before is corrected."""

    key: Annotated[Text, Field(min_length=1, max_length=200)]


async def create_memory(new: NewMemory, call: ApiCall) -> Reply[WriteResult]:
    """Add one; what is known already is merged with it. Raises ``E_CONFLICT`` for a key that stands for another."""
    return await finish_write(_write_once(new, call), call)


async def upsert_memory(new: KeyedMemory, call: ApiCall) -> Reply[WriteResult]:
    """Add the memory of a key, or change what it says; one that was forgotten is written anew."""
    receipt, held = await _write_keyed(new, call)
    if held.content == new.content or not (new.confirmed or _is_own(receipt, held)):
        return Reply(view_write(receipt, held))
    items, author = call.resources.memory.items, call.make_author(f"upsert:{held.memory_id}", new.reason)
    change = items.correct if new.confirmed else items.restate
    return await finish_write(change(call.scope, held.memory_id, new.content, author), call)


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


_NEW: dict[str, Any] = {"content": "Ann lives in Ghent.", "kind": "fact", "confirmed": True}

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="POST",
        path=MEMORIES,
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
        path=MEMORIES,
        summary="Write the memory of a key: add it, or correct what it says.",
        request=KeyedMemory,
        answer=WriteResult,
        run=upsert_memory,
        scope="memory:write",
        example={"key": "home", **_NEW},
    ),
)
