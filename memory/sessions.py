"""The port of sessions: the turns that no summary covers yet, and the blocks that cover the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID, uuid5

from language.secrets import mask_secrets
from language.terms import analyse
from language.titles import title_of
from memory.index_rows import DERIVED_CONFIDENCE, IndexRow
from memory.paging import Cursor
from memory.scope import Scope
from memory.storable_text import require_storable_text
from memory.turns import Event

SessionStatus = Literal["active", "archived"]

MAX_TURN_CHARACTERS = 20_000
"""Characters of a turn that summaries read; who pastes a book is summed up by its beginning."""


@dataclass(frozen=True, kw_only=True)
class SummaryTurn(Event):
    """A logged turn on its way into a summary, cut at ``MAX_TURN_CHARACTERS``.

    What only repeats memory, or says what was forgotten, may not be quoted: it is not ``quotable``.
    """

    quotable: bool = True


@dataclass(frozen=True, kw_only=True)
class Tail:
    """The oldest turns that no block stands for yet.

    ``block`` is the number that the next block gets; ``withdrawn`` are those that wait to be worded anew.
    """

    block: int
    status: SessionStatus
    events: tuple[SummaryTurn, ...] = ()
    entity_slots: Mapping[str, str] = field(default_factory=dict[str, str])
    withdrawn: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Block:
    """What stands for the turns from ``first_position`` to ``last_position`` of a session.

    ``text`` may be empty: then nothing in them was worth keeping. ``sources`` are the turns that the text rests on.
    """

    session_id: UUID
    block: int
    text: str
    sources: tuple[UUID, ...]
    first_position: int
    last_position: int
    started_at: datetime
    ended_at: datetime


@dataclass(frozen=True, kw_only=True)
class SummaryDraft(Block):
    """A block that is to be kept. ``entity_slots`` are added to the session's."""

    entity_slots: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        """What cannot be stored is refused before anything is written."""
        require_storable_text(self.text)


@dataclass(frozen=True, kw_only=True)
class Summary(Block):
    """A block as it is read back. A withdrawn one quotes what was forgotten since, and is shown to nobody."""

    summary_id: UUID
    created_at: datetime
    withdrawn: bool = False

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists; a frozen value holds a tuple."""
        object.__setattr__(self, "sources", tuple(self.sources))


@dataclass(frozen=True, kw_only=True)
class SessionInfo:
    """A session in a list. ``opening`` are the first words of a person in it that may be read."""

    session_id: UUID
    name: str
    status: SessionStatus
    turns: int
    blocks: int
    entity_slots: Mapping[str, str]
    started_at: datetime
    last_at: datetime
    expires_at: datetime
    opening: str = ""

    @property
    def title(self) -> str:
        """What it is called where it is shown."""
        return title_of(mask_secrets(self.opening))


@dataclass(frozen=True, kw_only=True)
class UnsettledSession:
    """A session that waits for somebody to tend it; ``over`` when its time has passed."""

    session_id: UUID
    over: bool


class Sessions(Protocol):
    """Blocks are written once, in order; together with the turns after the last of them they are the whole session."""

    async def tail(self, scope: Scope, session_id: UUID, limit: int) -> Tail | None:
        """What no block stands for yet, at most ``limit`` turns of it, oldest first; None for an unknown session."""
        ...

    async def save_summary(self, scope: Scope, draft: SummaryDraft, at: datetime) -> bool:
        """Keep a block and make it findable, in one transaction; False when its number or its turns have one."""
        ...

    async def summaries(self, scope: Scope, session_id: UUID, limit: int = 100) -> list[Summary]:
        """The newest ``limit`` blocks of a session, oldest first."""
        ...

    async def find(self, scope: Scope, summary_ids: Sequence[UUID]) -> list[Summary]:
        """Blocks by id, in the order of their sessions; ids of others are simply absent."""
        ...

    async def list_covered_turns(self, scope: Scope, session_id: UUID, block: int) -> list[SummaryTurn]:
        """The turns that a block stands for, in order; at most 500."""
        ...

    async def reword(self, scope: Scope, draft: SummaryDraft) -> bool:
        """Give a withdrawn block new words and make it findable again; False when it is not withdrawn."""
        ...

    async def list_newest(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[SessionInfo]:
        """The last ones spoken in first: those behind ``after``, by the time of their last turn and their id."""
        ...

    async def list_unsettled(self, scope: Scope, at: datetime, limit: int = 50) -> list[UnsettledSession]:
        """Sessions whose time is over though nobody closed them, and those with withdrawn blocks; oldest first."""
        ...

    async def expire(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        """Archive a session whose time is over; False when it is closed, unknown, or went on meanwhile."""
        ...


def summary_id(session_id: UUID, block: int) -> UUID:
    """By which a block is known in the index: the same each time it is derived."""
    return uuid5(session_id, f"summary {block}")


def row_of_summary(summary: Summary, user_id: UUID) -> IndexRow:
    """A block is found by its own words. Brain's writing: no reason for an action, and no wish of the person's."""
    return IndexRow(
        source_id=summary.summary_id,
        lane="summary",
        user_id=user_id,
        session_id=summary.session_id,
        role="assistant",
        speaker="summary",
        category="conversation",
        text=summary.text,
        terms=analyse(summary.text),
        observed_at=summary.ended_at,
        valid_at=summary.started_at,
        recorded_at=summary.created_at,
        confidence=DERIVED_CONFIDENCE,
        provenance="analysis",
        derived_from=summary.sources,
    )


def summary_of(draft: SummaryDraft, at: datetime) -> Summary:
    """The block that a draft becomes when it is kept at that moment."""
    return Summary(
        summary_id=summary_id(draft.session_id, draft.block),
        session_id=draft.session_id,
        block=draft.block,
        text=draft.text,
        sources=draft.sources,
        first_position=draft.first_position,
        last_position=draft.last_position,
        started_at=draft.started_at,
        ended_at=draft.ended_at,
        created_at=at,
    )
