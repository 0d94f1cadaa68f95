"""Memories that a program adds: once, or under a key of its own that is written again."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from apps.memory_api.endpoint import ApiCall, ApiRequest, Text, endpoint
from apps.memory_api.memories import Reason, Statement, WriteResult, finish_write, view_write
from apps.memory_api.remembering import require_remembering
from language.predicates import object_key
from memory.errors import BrainError, bad_request
from memory.memory_item import Author, MemoryDraft, MemoryItem, WriteReceipt
from memory.provenance import is_program_conclusion
from memory.scope import session_id_of
from memory.zones import is_storable_moment
from skills.memory import Note, NoteKind, draft_note, require_harmless

SESSION = "api"
"""The conversation that memories without a turn belong to."""
_MAX_REWRITES = 100
"""How often the memory of a key may have ended, or become a person's, and been written again."""
_EXAMPLE: dict[str, Any] = {"text": "Ann lives in Ghent.", "kind": "fact", "confirmed": True}


class NewMemory(ApiRequest):
    """Something to remember. ``confirmed``: the person said so, and it is no conclusion of a program's."""

    text: Statement
    kind: NoteKind = "fact"
    confirmed: bool = False
    valid_from: Annotated[AwareDatetime | None, Field(description="Since when it is so; now when left out.")] = None
    valid_until: Annotated[AwareDatetime | None, Field(description="When it ends, where that is known.")] = None
    reason: Reason = ""


class KeyedMemory(NewMemory):
    """The same under a name of the caller's own: what it said before is corrected."""

    key: Annotated[Text, Field(min_length=1, max_length=200)]


@endpoint("POST /memories", scope="memory:write", status=201, example=_EXAMPLE)
async def create_memory(asked: NewMemory, call: ApiCall) -> WriteResult:
    """Remember something; what is known already is merged with it.

    Raises ``E_CONFLICT`` for a key that stands for another.
    """
    await require_remembering(call)
    return await finish_write(_write_once(asked, call), call)


@endpoint("PUT /memories", scope="memory:write", example={"key": "home", **_EXAMPLE})
async def upsert_memory(asked: KeyedMemory, call: ApiCall) -> WriteResult:
    """Write the memory of a key: add it, or correct what it says; one that was forgotten is written anew."""
    await require_remembering(call)
    receipt, held = await _write_keyed(asked, call)
    if held.content == asked.text or not (asked.confirmed or _is_own(receipt, held)):
        return view_write(receipt, held)
    items, author = call.memory.items, call.make_author(f"upsert:{held.memory_id}", asked.reason)
    change = items.correct if asked.confirmed else items.restate
    return await finish_write(change(call.scope, held.memory_id, asked.text, author), call)


async def _write_once(asked: NewMemory, call: ApiCall) -> WriteReceipt:
    """The receipt of a memory that says it, or said it before it was corrected. Raises ``E_CONFLICT``."""
    receipt = await _write(asked, call.make_author("create", asked.reason), call)
    if not call.idempotency_key:
        return receipt
    versions = await call.memory.items.history(call.scope, receipt.memory_id)
    if not any(_says_same(str(each.snapshot["content"]), asked.text) for each in versions):
        raise BrainError("E_CONFLICT", "This Idempotency-Key stands for another memory.", "Use a key of its own.")
    return receipt


def _says_same(one: str, other: str) -> bool:
    return object_key(one) == object_key(other)


async def _write(asked: NewMemory, author: Author, call: ApiCall) -> WriteReceipt:
    require_harmless(asked.text)
    note = Note(text=asked.text, kind=asked.kind, quoted=asked.confirmed)
    draft = _within(draft_note(note, author.at, session_id_of(call.scope, SESSION)), asked)
    return await call.memory.items.write(call.scope, draft, author)


def _within(draft: MemoryDraft, asked: NewMemory) -> MemoryDraft:
    """The draft with the time in which it is so. Raises ``E_BAD_REQUEST`` for times that cannot be."""
    if not all(is_storable_moment(each) for each in (asked.valid_from, asked.valid_until) if each):
        raise bad_request("valid_from or valid_until is too long ago, or too far ahead.")
    begins = asked.valid_from or draft.valid_at
    if asked.valid_until is not None and asked.valid_until <= begins:
        raise bad_request("valid_until is not after the time from which it is so.", "Correct one of them.")
    return replace(draft, valid_at=begins, invalid_at=asked.valid_until)


async def _write_keyed(asked: KeyedMemory, call: ApiCall) -> tuple[WriteReceipt, MemoryItem]:
    """The key's memory that is in use, and its receipt: the same key of a write brings the same memory.

    A program's conclusion leaves a memory alone that another wrote or a person vouches for: the key gets a new one.
    """
    for number in range(_MAX_REWRITES):
        author = Author(
            operator=call.identity.user,
            reason=call.reason(asked.reason),
            idempotency_key=f"api:memory_key:{number}:{asked.key}",
            at=call.resources.clock(),
            trace_id=call.trace_id,
        )
        receipt = await _write(asked, author, call)
        held = await call.memory.items.get(call.scope, receipt.memory_id)
        may_change = asked.confirmed or _is_own(receipt, held)
        if held.status == "active" and (may_change or _says_same(held.content, asked.text)):
            return receipt, held
    raise BrainError("E_CONFLICT", f"The memory of this key ended {_MAX_REWRITES} times.", "Use another key.")


def _is_own(receipt: WriteReceipt, held: MemoryItem) -> bool:
    """Whether the key alone made it, and no person's word is in it."""
    return receipt.status == "accepted" and is_program_conclusion(held)
