"""What was last changed, each with a button that takes it back."""

from starlette.responses import Response

from apps.panel.page import Visit
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.undoing import find_act, list_recent_acts, undo_act


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
