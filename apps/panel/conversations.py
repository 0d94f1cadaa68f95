"""Conversations: which there are, and each as it was spoken, with the way to the receipts of every answer."""

from typing import Any
from uuid import UUID

from starlette.responses import Response

from apps.chat_api.turn import run_config
from apps.panel.page import Visit
from apps.panel.rendering import CHAT_PREFIX
from apps.views.session_names import fetch_session
from brain.context import Context
from memory.sessions import SessionInfo

MAX_LISTED = 100
TURNS_PER_PAGE = 60
"""Turns on one page."""
_MAX_POSITION = 2**31 - 1


async def list_conversations(visit: Visit) -> Response:
    """The person's conversations, the last one first."""
    found = await visit.memory.sessions.list_newest(visit.scope, MAX_LISTED)
    return visit.render("conversations.html", sessions=found, most=MAX_LISTED)


async def show_conversation(visit: Visit) -> Response:
    """A conversation from its end; earlier turns are a page away."""
    session = await find_session(visit, visit.request.path_params["session_id"])
    before = _read_before(visit)
    turns = await visit.memory.transcripts.turns(visit.scope, session.session_id, before, TURNS_PER_PAGE)
    blocks = await visit.memory.sessions.summaries(visit.scope, session.session_id)
    summaries = [each for each in blocks if each.text and not each.withdrawn]
    chat = chat_name(session.name) if visit.may("chat") and before is None else ""
    return visit.render(
        "conversation.html",
        session=session,
        turns=turns,
        summaries=summaries,
        before=before,
        chat=chat,
        waits=bool(await find_interrupts(visit, session)),
    )


def chat_name(session_name: str) -> str:
    """The name of a conversation that goes on in the panel; empty for one that a client or the terminal keeps."""
    return session_name if session_name.startswith(CHAT_PREFIX) else ""


async def find_session(visit: Visit, session_id: UUID) -> SessionInfo:
    """One of the person's last conversations. Raises ``E_NOT_FOUND``."""
    return await fetch_session(visit.memory.sessions, visit.scope, str(session_id))


def session_context(visit: Visit, session_name: str) -> Context:
    """The context of a turn in one of the person's conversations."""
    who = visit.identity
    return Context(tenant=who.tenant, user=who.user, session=session_name, resources=visit.resources)


async def find_interrupts(visit: Visit, session: SessionInfo) -> list[Any]:
    """What a conversation waits for."""
    config = run_config(session_context(visit, session.name), visit.user)
    return await visit.service.runner.find_interrupts(config)


def _read_before(visit: Visit) -> int | None:
    typed = visit.read_query("before", 10)
    return min(int(typed), _MAX_POSITION) if typed.isascii() and typed.isdigit() else None
