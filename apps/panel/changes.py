"""What was last changed, and memories that contradict each other: each with a button that undoes or settles it."""

from starlette.responses import Response

from apps.memory_api import changes, conflicts
from apps.panel.page import Visit
from evolution.conflict_sides import fetch_conflict_sides
from evolution.requests.undoing import list_recent_acts

MAX_CONFLICTS = 200


async def list_changes(visit: Visit) -> Response:
    """The changes of the last day, the newest first."""
    return visit.render("changes.html", acts=await list_recent_acts(visit.resources, visit.scope))


async def undo_change(visit: Visit) -> Response:
    """Bring back what one of them took away."""
    await visit.ask(changes.undo_change, id=visit.request.path_params["act_id"])
    return visit.redirect("/panel/changes", "restored")


async def list_conflicts(visit: Visit) -> Response:
    """What waits for a decision, oldest first."""
    found = await fetch_conflict_sides(visit.memory, visit.scope, limit=MAX_CONFLICTS)
    return visit.render("conflicts.html", conflicts=found)


async def settle_conflict(visit: Visit) -> Response:
    """Keep both, take them for one, or keep the one that is true: named behind a colon. The other can be restored."""
    resolution, _, winner = visit.read_field("resolution", 100).partition(":")
    settled = {"id": visit.request.path_params["conflict_id"], "resolution": resolution, "winner": winner or None}
    await visit.ask(conflicts.resolve_conflict, **settled)
    return visit.redirect("/panel/conflicts", "settled")
