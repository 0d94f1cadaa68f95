"""One memory: the words it rests on, verified now; its history; the answers it was used for; and what can be done."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from starlette.responses import Response

from apps.memory_api import memories as api
from apps.memory_api.endpoint import AnyEndpoint
from apps.panel.memory_history import describe_history
from apps.panel.page import Visit
from apps.views.proof import Proof
from memory.memory_item import MemoryItem, MemoryVersion

MAX_USES = 20
"""Answers that a page lists."""


@dataclass(frozen=True)
class MemoryPage:
    """A memory, the words that it rests on, and its versions, oldest first."""

    item: MemoryItem
    proofs: list[Proof]
    versions: list[MemoryVersion]


async def show_memory(visit: Visit) -> Response:
    """All that is known of a memory."""
    found = await trace_memory(visit)
    uses = await visit.memory.transcripts.uses(visit.scope, found.item.memory_id, MAX_USES)
    steps = await asyncio.to_thread(describe_history, found.versions)
    older = len(found.versions) - len(steps)
    return visit.render("memory.html", found=found, steps=steps, older=older, uses=uses)


async def ask_to_forget(visit: Visit) -> Response:
    """The first of two steps: what would go."""
    found = await trace_memory(visit)
    return visit.render("forget.html", found=found)


async def correct_memory(visit: Visit) -> Response:
    """What is true instead; it counts as confirmed by the person."""
    return await _change(visit, api.correct_memory, "corrected", text=visit.read_field("text"))


async def confirm_memory(visit: Visit) -> Response:
    """The person vouches for it."""
    return await _change(visit, api.confirm_memory, "confirmed")


async def set_memory_use(visit: Visit) -> Response:
    """Pin it, exclude it from use, or neither. Raises ``E_BAD_REQUEST`` for another use."""
    use = visit.request.path_params["use"]
    return await _change(visit, api.set_memory_use, f"use_{use}", use=use)


async def forget_memory(visit: Visit) -> Response:
    """The second step: gone from every reading at once, kept in its history."""
    return await _change(visit, api.forget_memory, "forgotten")


async def restore_memory(visit: Visit) -> Response:
    """Bring a version back as a new one."""
    return await _change(visit, api.restore_memory, "restored", version=visit.read_field("version", 10))


async def trace_memory(visit: Visit) -> MemoryPage:
    """Verified first and read after, because a mismatch marks the memory stale. Raises ``E_NOT_FOUND``."""
    items, memory_id = visit.memory.items, _memory_id(visit)
    await items.get(visit.scope, memory_id)
    proofs = [Proof.of_evidence(each) for each in await items.evidence(visit.scope, memory_id)]
    item, versions = await items.get(visit.scope, memory_id), await items.history(visit.scope, memory_id)
    return MemoryPage(item, proofs, versions)


def _memory_id(visit: Visit) -> UUID:
    return visit.request.path_params["memory_id"]


async def _change(visit: Visit, endpoint: AnyEndpoint, done: str, **values: object) -> Response:
    await visit.ask(endpoint, id=_memory_id(visit), **values)
    return visit.redirect(f"/panel/memories/{_memory_id(visit)}", done)
