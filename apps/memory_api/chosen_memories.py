"""Several memories in one act: forgotten together or not at all, and read together with what they rest on."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.memories import EXAMPLE, Memory, Reason, memory_view
from apps.views.proof import Proof
from brain.documents.profile_refresh import try_refresh_profile
from language.secrets import mask_secrets
from memory.errors import bad_request, unknown_memory

MAX_CHOSEN = 50
"""Memories of one act: a page of them, and fewer than what can be taken back at once."""


class ChosenMemory(ApiRequest):
    """One of them, as it was looked at."""

    id: UUID
    version: Annotated[int, Field(ge=1, le=1_000_000, description="The version that was looked at.")]


class Chosen(ApiRequest):
    """Which memories are to be forgotten."""

    memories: Annotated[list[ChosenMemory], Field(min_length=1, max_length=MAX_CHOSEN)]
    reason: Reason = ""


class ForgottenMemories(ApiAnswer):
    """What was forgotten by this; what was forgotten before is not among it."""

    forgotten: list[UUID]


class ChosenIds(ApiRequest):
    """Which memories are to be read."""

    ids: Annotated[list[UUID], Field(min_length=1, max_length=MAX_CHOSEN)]


class Quote(ApiAnswer):
    """Words that a memory rests on, and whether they are as they were logged."""

    text: str
    speaker: str
    at: str
    verified: bool


class ExportedMemory(Memory):
    """A memory with the words that it rests on."""

    quotes: list[Quote]


class ExportedMemories(ApiAnswer):
    """In the order in which they were asked for."""

    memories: list[ExportedMemory]


@endpoint("POST /memories/forget", scope="memory:write", example={"memories": [{"id": EXAMPLE["id"], "version": 1}]})
async def forget_memories(asked: Chosen, call: ApiCall) -> ForgottenMemories:
    """Forget several memories at once: all of them as they were looked at, or none.

    Raises ``E_CONFLICT`` where one was changed since. One act among the changes of a day that can be taken back.
    """
    chosen = {each.id: each.version for each in asked.memories}
    if len(chosen) < len(asked.memories):
        raise bad_request("A memory is named twice.", "Name each once.")
    author = call.make_author("forget_chosen", asked.reason)
    forgotten = await call.memory.items.forget_chosen(call.scope, chosen, author)
    await try_refresh_profile(call.resources, call.scope)
    return ForgottenMemories(forgotten=list(forgotten))


@endpoint("POST /memories/export", example={"ids": [EXAMPLE["id"]]})
async def export_memories(asked: ChosenIds, call: ApiCall) -> ExportedMemories:
    """Read several memories with the words that they rest on. Raises ``E_NOT_FOUND`` where one is not there."""
    items = {each.memory_id: each for each in await call.memory.items.get_many(call.scope, asked.ids)}
    if not items.keys() >= set(asked.ids):
        raise unknown_memory()
    return ExportedMemories(
        memories=[
            ExportedMemory(**memory_view(items[each]).model_dump(), quotes=await _quotes(each, call))
            for each in dict.fromkeys(asked.ids)
        ]
    )


async def _quotes(memory_id: UUID, call: ApiCall) -> list[Quote]:
    proofs = map(Proof.of_evidence, await call.memory.items.evidence(call.scope, memory_id))
    return [
        Quote(text=mask_secrets(each.quote), speaker=each.speaker, at=each.occurred_at, verified=each.verified)
        for each in proofs
    ]
