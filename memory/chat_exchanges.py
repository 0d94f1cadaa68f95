"""The port of exchanges with clients that keep their conversations themselves and resend them each time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory.scope import Scope

CANDIDATES = 20
"""How many exchanges with the same hash are looked at, newest first."""


@dataclass(frozen=True, kw_only=True)
class ChatExchange:
    """One answer: in which session, from which checkpoint to which. It holds hashes and no words.

    ``said_sha256`` is of the person's words before and including the message, ``exchange_sha256`` of message and reply.
    It is kept before the reply as well: then, and where a crash came in between, it ends where it began.
    ``answering`` names the process that makes the reply, while it does and lives. The reply was ``heard`` if it came
    to its end while its client was there.
    """

    exchange_id: UUID
    session_name: str
    said_sha256: str
    exchange_sha256: str
    message_id: str
    parent_checkpoint: str
    checkpoint: str
    created_at: datetime
    answering: UUID | None = None
    heard: bool = False

    @property
    def is_open(self) -> bool:
        """Whether no checkpoint behind the reply is known."""
        return self.checkpoint == self.parent_checkpoint


@dataclass(frozen=True, kw_only=True)
class ExchangeQuery:
    """What a client says was said last; a ``session_name`` bounds the search to one conversation."""

    said_sha256: str
    exchange_sha256: str
    session_name: str | None = None


class ChatExchanges(Protocol):
    """One person's exchanges."""

    async def find(self, scope: Scope, query: ExchangeQuery) -> Sequence[ChatExchange]:
        """Those with the same message and reply, else with the same words; newest first, ``CANDIDATES`` at most."""
        ...

    async def get(self, scope: Scope, exchange_id: UUID) -> ChatExchange | None:
        """The exchange of that name."""
        ...

    async def ends(self, scope: Scope, session_name: str) -> Sequence[ChatExchange]:
        """The newest and the first exchange of a conversation; empty for an unknown one."""
        ...

    async def save(self, scope: Scope, exchange: ChatExchange, keep_after: datetime) -> None:
        """Keep an exchange, or what became of it; this person's older ones than ``keep_after`` go."""
        ...
