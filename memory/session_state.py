"""The session as a turn finds it, read by one statement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory.documents.document import Document
from memory.experiments import RunningExperiment
from memory.memory_item import MemoryItem
from memory.receipts import InjectedMemory
from memory.safety_contracts import ContractDocument
from memory.soul import ActiveSoul
from memory.turns import Event


def just_before(moment: datetime) -> datetime:
    """The last instant that a database tells apart from a moment."""
    return moment - timedelta(microseconds=1)


ENDINGS = 50
"""Conversations of a person whose endings are looked at."""


@dataclass(frozen=True, kw_only=True)
class SessionEnding:
    """The last two messages of the person in a conversation, the newest last, and the reply to it."""

    name: str
    words: tuple[str, ...]
    reply: str


@dataclass(frozen=True, kw_only=True)
class KnownTurn:
    """A turn whose words were in the log already.

    ``answer`` is the whole reply to them, None without one and empty where it may not be told again. The turn
    ``is_retried`` when the same run brings its words once more.
    """

    answer: str | None = None
    is_retried: bool = False


@dataclass(frozen=True, kw_only=True)
class SessionState:
    """Everything a turn needs to know of its session, from one statement.

    ``gone`` are the SHA-256 of turns of this session that were forgotten, ``withheld`` those that no prompt may show
    while a memory is excluded from use; ``pinned`` are the memories of every prompt, the last one pinned first,
    ``wishes`` the newest that tell how the person wants to be spoken to and called.
    ``carried`` is what the session's last turn left for this one. ``summaries`` stand for the ``turns - unsummarised``
    oldest turns, ``window`` holds the others as far as it reaches. ``operation_id`` is the turn that was accepted with
    it, new or known before, and ``own`` are that turn's events, ``began_at`` is when its words were first said.
    ``as_of`` is the moment at which memory is read: where the run goes on from before the thread's head or answers a
    turn again, else None. ``moved`` says that the thread goes on from another turn than its last. ``follows`` is the
    turn before the accepted one in its thread, ``newest`` the last one there, and ``known`` tells of words that come
    again. ``contract`` is what the tenant adds to the safety contract and ``soul`` its SOUL, None where nobody changed
    it; both as they are now, whatever moment memory is read at. ``experiment`` is the one that
    runs in the tenant. It ``is_paused`` while the person does not want to be remembered.
    """

    window: tuple[Event, ...] = ()
    summaries: tuple[str, ...] = ()
    entity_slots: Mapping[str, str] = field(default_factory=dict[str, str])
    injected: tuple[InjectedMemory, ...] = ()
    turns: int = 0
    unsummarised: int = 0
    documents: tuple[Document, ...] = ()
    tokens_spent: int = 0
    gone: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()
    pinned: tuple[MemoryItem, ...] = ()
    wishes: tuple[MemoryItem, ...] = ()
    carried: Mapping[str, Any] = field(default_factory=dict[str, Any])
    operation_id: UUID | None = None
    own: tuple[UUID, ...] = ()
    began_at: datetime | None = None
    as_of: datetime | None = None
    moved: bool = False
    follows: UUID | None = None
    newest: UUID | None = None
    known: KnownTurn | None = None
    contract: ContractDocument | None = None
    soul: ActiveSoul | None = None
    experiment: RunningExperiment | None = None
    is_paused: bool = False
