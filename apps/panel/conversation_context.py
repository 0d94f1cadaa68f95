"""One conversation of the person: which it is, whether it goes on here, and the context of its turns."""

from typing import Any
from uuid import UUID

from apps.chat_api.names import is_of_client
from apps.chat_api.run_config import run_config
from apps.panel.page import Visit
from apps.panel.zones import browser_zone
from apps.views.session_names import MAX_SEARCHED, fetch_session
from brain.context import Context
from memory.sessions import SessionInfo
from nodes.open_session import session_of
from nodes.thread_position import parse_id


async def find_session(visit: Visit, session_id: UUID) -> SessionInfo:
    """One of the person's last conversations. Raises ``E_NOT_FOUND``."""
    return await fetch_session(visit.memory.sessions, visit.scope, str(session_id))


async def find_session_named(visit: Visit, name: str) -> SessionInfo | None:
    """The conversation of exactly that name; None where the person has none."""
    known = await visit.memory.sessions.list_newest(visit.scope, MAX_SEARCHED)
    return next((each for each in known if each.name == name), None)


def goes_on_here(visit: Visit, session: SessionInfo) -> bool:
    """Whether its next message may be said in the panel, as in what was held here or in the terminal.

    Chat clients keep their conversations themselves and would go on from before what was said here, which would then
    count as left behind. Those of the agent server have threads of their own, and an imported one is over.
    """
    is_own_thread = session_of(visit.identity, session.name) == session.session_id and parse_id(session.name) is None
    return is_own_thread and not is_of_client(session.name)


def session_context(visit: Visit, session_name: str) -> Context:
    """The context of a turn in one of the person's conversations; the reader's clock tells what today is."""
    who = visit.identity
    return Context(
        tenant=who.tenant,
        user=who.user,
        session=session_name,
        time_zone=browser_zone(visit.request),
        resources=visit.resources,
    )


async def find_interrupts(visit: Visit, session: SessionInfo) -> list[Any]:
    """What a conversation waits for."""
    config = run_config(session_context(visit, session.name), visit.user)
    return await visit.service.runner.find_interrupts(config)
