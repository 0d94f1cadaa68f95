"""Conversations and the blocks that sum them up."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Name, endpoint
from apps.memory_api.paging import Page, PageRequest, read_page
from apps.views.session_names import fetch_session
from language.secrets import mask_secrets
from memory.paging import Cursor
from memory.sessions import SessionInfo, SessionStatus, Summary
from memory.turns import Event

_BLOCKS = 1_000
_TURNS = 100


class OneSession(ApiRequest):
    """Which conversation: its name, or a beginning of its id that no other shares."""

    session: Annotated[Name, Field(description="Its name, or a beginning of its id that no other shares.")]


class Session(ApiAnswer):
    """A conversation. ``turns`` counts what was said by anybody; the ``title`` is made of its first words."""

    id: UUID
    name: str
    title: str
    status: SessionStatus
    turns: int
    blocks: int
    started_at: datetime
    last_at: datetime
    expires_at: datetime
    entity_slots: dict[str, str]


class SummaryBlock(ApiAnswer):
    """What stands for the turns from ``first_turn`` to ``last_turn``, which count from 0.

    The text of a ``withdrawn`` one quoted what was forgotten since; it is worded anew.
    """

    block: int
    text: str
    sources: list[UUID]
    first_turn: int
    last_turn: int
    started_at: datetime
    ended_at: datetime
    withdrawn: bool


class Said(ApiAnswer):
    """Something that was said."""

    id: UUID
    role: str
    speaker: str
    text: str
    said_at: datetime


class WholeSession(ApiAnswer):
    """A conversation with its blocks and the last turns that no block stands for."""

    session: Session
    blocks: list[SummaryBlock]
    turns: list[Said]


@endpoint("GET /sessions", command="sessions list", example={"limit": 20})
async def list_sessions(asked: PageRequest, call: ApiCall) -> Page[Session]:
    """List conversations, the last one spoken in first."""
    return await read_page(
        asked,
        lambda limit, after: call.memory.sessions.list_newest(call.scope, limit, after),
        lambda each: Cursor(each.last_at, each.session_id),
        session_view,
    )


@endpoint("GET /sessions/{session}", command="sessions show", example={"session": "trip to Lyon"})
async def show_session(asked: OneSession, call: ApiCall) -> WholeSession:
    """Read a conversation as memory holds it; what may not be read any more is absent."""
    memory = call.memory
    known = await fetch_session(memory.sessions, call.scope, asked.session)
    blocks = await memory.sessions.summaries(call.scope, known.session_id, _BLOCKS)
    opened = await memory.log.open(call.scope, known.session_id, _TURNS)
    return WholeSession(
        session=session_view(known),
        blocks=[_block(each) for each in blocks],
        turns=[_said(each) for each in opened.window],
    )


def session_view(known: SessionInfo) -> Session:
    return Session(
        id=known.session_id,
        name=known.name,
        title=known.title,
        status=known.status,
        turns=known.turns,
        blocks=known.blocks,
        started_at=known.started_at,
        last_at=known.last_at,
        expires_at=known.expires_at,
        entity_slots=dict(known.entity_slots),
    )


def _block(block: Summary) -> SummaryBlock:
    return SummaryBlock(
        block=block.block,
        text="" if block.withdrawn else mask_secrets(block.text),
        sources=list(block.sources),
        first_turn=block.first_position,
        last_turn=block.last_position,
        started_at=block.started_at,
        ended_at=block.ended_at,
        withdrawn=block.withdrawn,
    )


def _said(event: Event) -> Said:
    text, at = mask_secrets(event.text), event.occurred_at
    return Said(id=event.event_id, role=event.role, speaker=event.speaker, text=text, said_at=at)
