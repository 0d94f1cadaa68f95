"""Whether anything of what the person says is remembered: the state, stopping it, and going on."""

from starlette.responses import Response

from apps.memory_api import remembering as api
from apps.panel.page import Visit
from apps.views.session_names import fetch_session
from memory.errors import bad_request
from memory.sessions import SessionInfo

PAGE = "/panel/remembering"
MINUTES = (60, 1_440)
"""For how long it can be stopped by a button; an hour and a day."""


async def show_remembering(visit: Visit) -> Response:
    """The state in general and, where the address names one, in a conversation."""
    session = await _find_session(visit, str(visit.request.path_params.get("session_id", "")))
    general: api.RememberingView = await visit.ask(api.read_remembering)
    there = await visit.ask(api.read_remembering, session=session.name) if session else None
    return visit.render("remembering.html", general=general, there=there, session=session, minutes=MINUTES)


async def stop(visit: Visit) -> Response:
    """Remember nothing from the next message on."""
    typed = visit.read_field("minutes", 10)
    if typed and not (typed.isascii() and typed.isdigit()):
        raise bad_request("The form cannot be read.", "Open the page again.")
    session = await _find_session(visit, visit.read_field("conversation", 40))
    minutes = int(typed) if typed else None
    await visit.ask(api.stop_remembering, minutes=minutes, session=session.name if session else None)
    return visit.redirect(_page_of(session), "stopped")


async def resume(visit: Visit) -> Response:
    """Remember again what is said from the next message on."""
    session = await _find_session(visit, visit.read_field("conversation", 40))
    await visit.ask(api.resume_remembering, session=session.name if session else None)
    return visit.redirect(_page_of(session), "resumed")


async def _find_session(visit: Visit, named: str) -> SessionInfo | None:
    return await fetch_session(visit.memory.sessions, visit.scope, named) if named else None


def _page_of(session: SessionInfo | None) -> str:
    return f"{PAGE}/{session.session_id}" if session else PAGE
