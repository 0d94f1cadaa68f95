"""What was attached, for the page of its conversation: to be saved, or shown as a picture, never opened as a page."""

from starlette.responses import Response

from apps.memory_api.media import forget_media, not_kept
from apps.panel.page import Visit
from apps.views.session_names import fetch_session
from memory.media import is_digest

_HEADERS = {
    "Content-Disposition": "attachment",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}


async def send_media(visit: Visit) -> Response:
    """The bytes, as the type that they were found to be."""
    digest = visit.request.path_params["sha256"]
    found = await visit.memory.media.find(visit.scope, [digest] if is_digest(digest) else [])
    if not found:
        raise not_kept()
    return Response(found[0].bytes, media_type=found[0].media_type, headers=_HEADERS)


async def forget(visit: Visit) -> Response:
    """Let go of it, in every conversation."""
    session = await fetch_session(visit.memory.sessions, visit.scope, visit.read_field("conversation", 40))
    await visit.ask(forget_media, sha256=visit.request.path_params["sha256"])
    return visit.redirect(f"/panel/conversations/{session.session_id}", "media_forgotten")
