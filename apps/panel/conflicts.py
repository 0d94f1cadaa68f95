"""Memories that contradict each other, and settling it."""

from dataclasses import dataclass
from typing import cast, get_args
from uuid import UUID

from starlette.responses import Response

from apps.panel.page import Visit
from brain.documents.profile_refresh import try_refresh_profile
from memory.conflicts import Conflict, Resolution, Settlement
from memory.contracts import MemoryItem
from memory.errors import bad_request

_MOST = 200


@dataclass(frozen=True)
class ConflictSides:
    """A conflict with the memories that contradict each other."""

    conflict: Conflict
    held: MemoryItem
    new: MemoryItem


async def list_conflicts(visit: Visit) -> Response:
    """What waits for a decision, oldest first."""
    return visit.render("conflicts.html", conflicts=await fetch_open_conflicts(visit))


async def settle_conflict(visit: Visit) -> Response:
    """Keep both, take them for one, or keep the one that is true. The other can be restored."""
    conflict_id: UUID = visit.request.path_params["conflict_id"]
    await visit.memory.conflicts.resolve(visit.scope, conflict_id, _read_settlement(visit), visit.author())
    await try_refresh_profile(visit.resources, visit.scope)
    return visit.redirect("/panel/conflicts", "settled")


async def fetch_open_conflicts(visit: Visit) -> list[ConflictSides]:
    """The open conflicts with both sides."""
    found = await visit.memory.conflicts.list_conflicts(visit.scope, limit=_MOST)
    ids = dict.fromkeys(side for each in found for side in (each.held_id, each.new_id))
    items = {each.memory_id: each for each in await visit.memory.items.get_many(visit.scope, list(ids))}
    return [ConflictSides(each, items[each.held_id], items[each.new_id]) for each in found]


def _read_settlement(visit: Visit) -> Settlement:
    """``keep``, ``merge``, or ``discard`` with the memory that is true behind a colon."""
    resolution, _, winner = visit.read_field("resolution", 100).partition(":")
    if resolution not in get_args(Resolution):
        raise bad_request("A conflict is kept, merged or discarded.", "Choose one of the buttons.")
    try:
        return Settlement(resolution=cast("Resolution", resolution), winner=UUID(winner) if winner else None)
    except ValueError:
        raise bad_request("This names no memory.", "Choose one of the buttons.") from None
