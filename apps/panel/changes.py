"""What was last changed, and memories that contradict each other: each with a button that undoes or settles it."""

from typing import cast, get_args
from uuid import UUID

from starlette.responses import Response

from apps.panel.page import Visit
from apps.views.conflict_sides import fetch_conflict_sides
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.undoing import find_act, list_recent_acts, undo_act
from memory.conflicts import Resolution, Settlement
from memory.errors import bad_request

_MOST = 200


async def list_changes(visit: Visit) -> Response:
    """The changes of the last day, the newest first."""
    return visit.render("changes.html", acts=await list_recent_acts(visit.resources, visit.scope))


async def undo_change(visit: Visit) -> Response:
    """Bring back what one of them took away."""
    act = find_act(await list_recent_acts(visit.resources, visit.scope), visit.request.path_params["act_id"])
    author = visit.author()
    editor = MemoryEditor(
        resources=visit.resources,
        scope=visit.scope,
        key=author.idempotency_key,
        at=author.at,
        trace_id=author.trace_id,
        operator=author.operator,
    )
    await undo_act(editor, act)
    await try_refresh_profile(visit.resources, visit.scope)
    return visit.redirect("/panel/changes", "restored")


async def list_conflicts(visit: Visit) -> Response:
    """What waits for a decision, oldest first."""
    found = await fetch_conflict_sides(visit.memory, visit.scope, include_settled=False, limit=_MOST)
    return visit.render("conflicts.html", conflicts=found)


async def settle_conflict(visit: Visit) -> Response:
    """Keep both, take them for one, or keep the one that is true. The other can be restored."""
    conflict_id: UUID = visit.request.path_params["conflict_id"]
    await visit.memory.conflicts.resolve(visit.scope, conflict_id, _read_settlement(visit), visit.author())
    await try_refresh_profile(visit.resources, visit.scope)
    return visit.redirect("/panel/conflicts", "settled")


def _read_settlement(visit: Visit) -> Settlement:
    """``keep``, ``merge``, or ``discard`` with the memory that is true behind a colon."""
    resolution, _, winner = visit.read_field("resolution", 100).partition(":")
    if resolution not in get_args(Resolution):
        raise bad_request("A conflict is kept, merged or discarded.", "Choose one of the buttons.")
    try:
        return Settlement(resolution=cast("Resolution", resolution), winner=UUID(winner) if winner else None)
    except ValueError:
        raise bad_request("This names no memory.", "Choose one of the buttons.") from None
