"""One memory: the words it rests on, verified now; its history; the answers it was used for; and what can be done."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from starlette.responses import Response

from apps.panel.memory_history import describe_history
from apps.panel.page import Visit
from apps.views.proof import Proof
from brain.documents.profile_refresh import try_refresh_profile
from memory.contracts import ItemUse, MemoryItem, MemoryVersion
from memory.errors import bad_request

USES = 20
LONGEST_CONTENT = 2_000
_USES: Mapping[str, ItemUse] = {each: each for each in get_args(ItemUse)}


@dataclass(frozen=True)
class TracedMemory:
    """A memory, the words that it rests on, and its versions, oldest first."""

    item: MemoryItem
    proofs: list[Proof]
    versions: list[MemoryVersion]


async def show_memory(visit: Visit) -> Response:
    """All that is known of a memory."""
    found = await trace_memory(visit)
    uses = await visit.memory.transcripts.uses(visit.scope, found.item.memory_id, USES)
    steps = await asyncio.to_thread(describe_history, found.versions)
    older = len(found.versions) - len(steps)
    return visit.render("memory.html", found=found, steps=steps, older=older, uses=uses)


async def ask_to_forget(visit: Visit) -> Response:
    """The first of two steps: what would go."""
    found = await trace_memory(visit)
    return visit.render("forget.html", found=found)


async def correct_memory(visit: Visit) -> Response:
    """What is true instead; it counts as confirmed by the person."""
    memory_id, content = _memory_id(visit), visit.read_field("content", LONGEST_CONTENT)
    if not content:
        raise bad_request("A memory cannot be empty.", "Say what is true instead, or forget it.")
    await visit.memory.items.correct(visit.scope, memory_id, content, visit.author())
    return await _finish(visit, "corrected")


async def confirm_memory(visit: Visit) -> Response:
    """The person vouches for it."""
    await visit.memory.items.confirm(visit.scope, _memory_id(visit), visit.author())
    return await _finish(visit, "confirmed")


async def set_memory_use(visit: Visit) -> Response:
    """Pin it, exclude it from use, or neither. Raises ``E_BAD_REQUEST`` for another use.

    The use is part of the address, and so of the idempotency key: a page shown again can still choose another one.
    """
    chosen = visit.request.path_params["use"]
    use = _USES.get(chosen)
    if use is None:
        raise bad_request(f"There is no use {chosen[:20]!r}.", f"There are {', '.join(_USES)}.")
    await visit.memory.items.set_use(visit.scope, _memory_id(visit), use, visit.author())
    return await _finish(visit, f"use_{use}")


async def forget_memory(visit: Visit) -> Response:
    """The second step: gone from every reading at once, kept in its history."""
    await visit.memory.items.forget(visit.scope, _memory_id(visit), visit.author())
    return await _finish(visit, "forgotten")


async def restore_memory(visit: Visit) -> Response:
    """Bring a version back as a new one."""
    version = visit.read_field("version", 10)
    if not (version.isascii() and version.isdigit()):
        raise bad_request("A version is a number.", "Choose one of the history.")
    await visit.memory.items.restore(visit.scope, _memory_id(visit), int(version), visit.author())
    return await _finish(visit, "restored")


async def trace_memory(visit: Visit) -> TracedMemory:
    """Verified first and read after, because a mismatch marks the memory stale. Raises ``E_NOT_FOUND``."""
    items, memory_id = visit.memory.items, _memory_id(visit)
    await items.get(visit.scope, memory_id)
    proofs = [Proof.of_evidence(each) for each in await items.evidence(visit.scope, memory_id)]
    item, versions = await items.get(visit.scope, memory_id), await items.history(visit.scope, memory_id)
    return TracedMemory(item, proofs, versions)


def _memory_id(visit: Visit) -> UUID:
    return visit.request.path_params["memory_id"]


async def _finish(visit: Visit, done: str) -> Response:
    """The profile tells it from now on, too."""
    await try_refresh_profile(visit.resources, visit.scope)
    return visit.redirect(f"/panel/memories/{_memory_id(visit)}", done)
