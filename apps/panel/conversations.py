"""Conversations: which there are, and each as it was spoken, with the way to the receipts of every answer."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from markupsafe import Markup
from starlette.responses import Response

from apps.panel.conversation_context import find_session, goes_on_here
from apps.panel.markdown import render_markdown
from apps.panel.page import Visit
from apps.panel.pending import find_pending
from language.secrets import mask_secrets
from memory.transcripts import TranscriptTurn

MAX_LISTED = 100
TURNS_PER_PAGE = 60
"""Turns on one page."""
RENDERED_CHARACTERS = 100_000
"""Of the newest replies on a page that are read as Markdown; those before them stay as they were written."""
_MAX_POSITION = 2**31 - 1


async def list_conversations(visit: Visit) -> Response:
    """The person's conversations, the last one first."""
    found = await visit.memory.sessions.list_newest(visit.scope, MAX_LISTED)
    return visit.render("conversations.html", sessions=found, most=MAX_LISTED)


async def show_conversation(visit: Visit) -> Response:
    """A conversation from its end, with what it waits for; earlier turns are a page away."""
    session = await find_session(visit, visit.request.path_params["session_id"])
    before = _read_before(visit)
    turns = await visit.memory.transcripts.turns(visit.scope, session.session_id, before, TURNS_PER_PAGE)
    blocks = await visit.memory.sessions.summaries(visit.scope, session.session_id)
    goes_on = goes_on_here(visit, session)
    return visit.render(
        "conversation.html",
        session=session,
        turns=turns,
        replies=await asyncio.to_thread(render_replies, turns),
        summaries=[each for each in blocks if each.text and not each.withdrawn],
        before=before,
        chat=session.name if goes_on and visit.may("chat") and before is None else "",
        goes_on=goes_on,
        waits=await find_pending(visit, session),
    )


def render_replies(turns: Sequence[TranscriptTurn]) -> Mapping[UUID, Markup]:
    """The replies that may be shown, rendered, by the ids of their turns: the newest, within a page's bounds."""
    rendered, left = dict[UUID, Markup](), RENDERED_CHARACTERS
    for turn in reversed(turns):
        if turn.role == "assistant" and turn.standing != "withheld" and len(turn.text) <= left:
            rendered[turn.event_id] = render_markdown(mask_secrets(turn.text))
            left -= len(turn.text)
    return rendered


def _read_before(visit: Visit) -> int | None:
    typed = visit.read_query("before", 10)
    return min(int(typed), _MAX_POSITION) if typed.isascii() and typed.isdigit() else None
