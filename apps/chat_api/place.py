"""Where in which thread a resent conversation stands: at its end, or before a message that is asked or worded anew.

Clients keep their conversations themselves and send all of it each time, sometimes shortened. Every answer is kept as
two hashes, so that the next request is found by the last exchange in it; in a conversation that the client names, and
without a name in any of this person's.
"""

import asyncio
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from uuid import NAMESPACE_URL, UUID, uuid5

from apps.chat_api.names import UNNAMED, is_unnamed
from apps.chat_api.request import ClientTranscript, hash_exchange, hash_said, plain
from memory.chat_exchanges import ChatExchange, ChatExchanges, ExchangeQuery
from memory.errors import BrainError, bad_field
from memory.log import ConversationLog
from memory.scope import Scope

COMPARED = 5
"""Conversations with the same last exchange that are looked at; short greetings are in many."""
_MESSAGES = uuid5(NAMESPACE_URL, "brain:chat-messages")
PREVIOUS = "previous_response_id"
"""The field in which a client of the responses API names the answer before."""
LOOK_SECONDS, LOOKS = 0.25, 48
"""Between two looks at an answer that another process makes, and how many: dead ones are known after ten seconds."""
RETRY = timedelta(minutes=10)
"""For how long the same first message counts as another try of one whose reply was not heard."""


@dataclass(frozen=True, kw_only=True)
class ConversationPlace:
    """A place in a thread. ``parent`` is the checkpoint from which a run begins; empty for the start of a thread.

    ``is_fork`` tells that the thread goes on behind it, with other words than these. ``message_id`` is that of a
    message that was sent before. ``behind`` is the exchange that the message follows; the place ``is_end`` of a
    conversation of which the log alone knows, or its thread.
    """

    session_name: str
    parent: str = ""
    is_fork: bool = False
    message_id: str = ""
    behind: ChatExchange | None = None
    is_end: bool = False

    def name_message(self, said: ClientTranscript) -> str:
        """The same words at the same place are the same message, also when a killed process told nobody of them."""
        where = self.parent if said.history else ""
        return self.message_id or str(uuid5(_MESSAGES, "\x1f".join((self.session_name, where, said.said_sha256))))


@dataclass(frozen=True, kw_only=True)
class PlaceFinder:
    """Finds places in one person's conversations at a moment. Exchanges that are ``running``, or that another process
    is at, await their answer. A client that ``is_repeating`` heard none to what it sends again."""

    exchanges: ChatExchanges
    log: ConversationLog
    scope: Scope
    new_id: Callable[[], UUID]
    now: datetime
    running: Set[UUID] = frozenset()
    process_id: UUID | None = None
    is_repeating: bool = False

    async def find(self, said: ClientTranscript, session_name: str | None) -> ConversationPlace:
        """The place of the newest message. ``session_name`` is the client's own name of the conversation."""
        if said.is_answering_tools and (asked := await self._find_asked(said, session_name)):
            return asked
        if said.history and (before := await self._find_last(said, session_name)):
            place = await self._place_behind(before.session_name, before.checkpoint)
            return place if place.is_fork else replace(place, behind=before)
        if session_name is None:
            found = await (self._find_logged(said, None) if said.history else self._find_unheard(said))
            return found or ConversationPlace(session_name=f"{UNNAMED}{self.new_id()}")
        ends = await self.exchanges.ends(self.scope, session_name)
        if not ends:
            return await self._find_logged(said, session_name) or ConversationPlace(session_name=session_name)
        newest, first = ends
        return await self._place_behind(session_name, newest.checkpoint if said.history else first.parent_checkpoint)

    async def find_end(self, said: ClientTranscript, session_name: str, message_id: str) -> ConversationPlace:
        """Behind the last answer, for a client that keeps none; a message that is sent again keeps its place."""
        if before := await self.find_message(said, session_name, message_id):
            return replace(_place_of(before), is_fork=False)
        ends = await self.exchanges.ends(self.scope, session_name)
        parent = ends[0].checkpoint if ends else ""
        return ConversationPlace(session_name=session_name, parent=parent, message_id=message_id, is_end=not ends)

    async def find_behind(self, said: ClientTranscript, session_name: str | None, answer: UUID) -> ConversationPlace:
        """Behind an answer that the client names. The same words there are another try of the same message.

        Raises ``E_NOT_FOUND``, ``E_CONFLICT`` while it is being made, ``E_BAD_REQUEST`` where the request names
        another conversation.
        """
        before = await self.exchanges.get(self.scope, answer)
        if before is None:
            raise BrainError("E_NOT_FOUND", "That response is not known.", "Begin anew.", PREVIOUS)
        if self._is_being_made(before):
            raise BrainError("E_CONFLICT", "That response is still being made.", "Wait for it.", PREVIOUS)
        if session_name not in (None, before.session_name):
            raise bad_field(PREVIOUS, "That response is of another conversation than the request names.")
        place = await self._place_behind(before.session_name, before.checkpoint)
        named = uuid5(_MESSAGES, "\x1f".join((before.session_name, place.parent, said.said_sha256)))
        return replace(place, message_id=str(named), behind=None if place.is_fork else before)

    async def find_message(self, said: ClientTranscript, session_name: str, message_id: str) -> ChatExchange | None:
        """The exchange of that very message in a conversation, if it was sent before."""
        query = ExchangeQuery(said_sha256=said.said_sha256, exchange_sha256="", session_name=session_name)
        found = await self.exchanges.find(self.scope, query)
        return next((each for each in found if each.message_id == message_id), None)

    async def _find_asked(self, said: ClientTranscript, session_name: str | None) -> ConversationPlace | None:
        """The place of a message that is being answered: its tools have run."""
        query = ExchangeQuery(said_sha256=said.said_sha256, exchange_sha256="", session_name=session_name)
        found = await self.exchanges.find(self.scope, query)
        return _place_of(found[0]) if found else None

    async def _find_unheard(self, said: ClientTranscript) -> ConversationPlace | None:
        """The place of a first message whose reply was not heard a moment ago: clients try again by themselves.

        Another process may be at it, or have died a moment ago, which shows after a while. A client that is repeating
        waits for as long as that takes: what it says is no conversation of its own.
        """
        for _ in count() if self.is_repeating else range(LOOKS):
            tried = [each for each in await self._list_tries(said) if each.exchange_id not in self.running]
            if each := next((each for each in tried if not self._is_being_made(each)), None):
                return replace(_place_of(each), is_fork=not each.is_open)
            if not tried:
                return None
            await asyncio.sleep(LOOK_SECONDS)
        return None

    async def _list_tries(self, said: ClientTranscript) -> list[ChatExchange]:
        """Those of the same first message that nothing followed, heard ones only for one that says it heard none."""
        query = ExchangeQuery(said_sha256=said.said_sha256, exchange_sha256="")
        tried = [each for each in await self.exchanges.find(self.scope, query) if is_unnamed(each.session_name)]
        lately = [each for each in tried if self.now - each.created_at < RETRY]
        return [each for each in lately if (self.is_repeating or not each.heard) and await self._is_newest(each)]

    async def _find_logged(self, said: ClientTranscript, session_name: str | None) -> ConversationPlace | None:
        """The end of the conversation whose last words these are, where its last exchange was not kept."""
        if not said.history:
            return None
        words, reply = [plain(each.words) for each in said.history[-2:]], plain(said.history[-1].reply)
        for each in await self.log.list_endings(self.scope, session_name):
            if [plain(text) for text in each.words] == words and plain(each.reply).startswith(reply):
                return ConversationPlace(session_name=each.name, is_end=True)
        return None

    def _is_being_made(self, exchange: ChatExchange) -> bool:
        return exchange.exchange_id in self.running or exchange.answering not in (None, self.process_id)

    async def _is_newest(self, exchange: ChatExchange) -> bool:
        return (await self.exchanges.ends(self.scope, exchange.session_name))[0].exchange_id == exchange.exchange_id

    async def _find_last(self, said: ClientTranscript, session_name: str | None) -> ChatExchange | None:
        """The exchange before the newest message, preferably the last one of its conversation."""
        last = said.history[-1]
        query = ExchangeQuery(
            said_sha256=hash_said([each.words for each in said.history]),
            exchange_sha256=hash_exchange(last.words, last.reply),
            session_name=session_name,
        )
        found = (await self.exchanges.find(self.scope, query))[:COMPARED]
        if len(found) < 2:
            return found[0] if found else None
        ends = [each for each in found if await self._is_last(each.session_name, each.checkpoint)]
        return (ends or found)[0]

    async def _is_last(self, session_name: str, checkpoint: str) -> bool:
        return (await self.exchanges.ends(self.scope, session_name))[0].checkpoint == checkpoint

    async def _place_behind(self, session_name: str, checkpoint: str) -> ConversationPlace:
        is_last = not checkpoint or await self._is_last(session_name, checkpoint)
        return ConversationPlace(session_name=session_name, parent=checkpoint, is_fork=not is_last)


def _place_of(exchange: ChatExchange) -> ConversationPlace:
    """Where a message stands that was answered before: the thread goes on behind it."""
    return ConversationPlace(
        session_name=exchange.session_name,
        message_id=exchange.message_id,
        parent=exchange.parent_checkpoint,
        is_fork=True,
    )
