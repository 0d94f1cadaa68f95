"""One turn of the graph for a chat client: the words as they come, and at the end how it went."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID

import structlog
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple, empty_checkpoint
from langgraph.types import Command
from uuid_utils.compat import uuid7

from apps.chat_api.approval_question import describe_approval, read_approval
from apps.chat_api.client_model import ClientModel
from apps.chat_api.decisions import DecisionGate
from apps.chat_api.history import import_history
from apps.chat_api.place import ConversationPlace, PlaceFinder
from apps.chat_api.reply import ChatReply, FinishReason
from apps.chat_api.request import ChatMessage, ClientTranscript, hash_exchange, hash_said
from apps.chat_api.run_config import run_config, thread_config, thread_of
from apps.chat_api.turn_progress import INTERRUPT, OnWords, Progress
from apps.reply_stream import ReplyStream
from apps.threads.checkpointer import Saver
from brain.context import Context
from brain.identity import Identity, identity_of_user
from brain.media.message import hear_message
from brain.resources import Resources
from brain.turn_run import run_to_completion
from memory.chat_exchanges import ChatExchange
from memory.errors import BrainError
from nodes.respond import TOO_LONG

log = structlog.get_logger(__name__)


class TurnGraph(Protocol):
    """What a turn needs of a compiled graph."""

    def astream(self, input: Any, config: RunnableConfig, **options: Any) -> AsyncIterator[Any]:
        """Pairs of stream mode and piece."""
        ...


@dataclass(frozen=True, kw_only=True)
class ChatTurn:
    """A request on its way through the graph. ``user`` is the verified identity, None on an open server.

    A ``message_id`` says that the conversation is kept here: the message goes behind the last one of the session;
    ``behind`` says that it goes behind that exchange. ``exchange_id`` is the name that its own is kept under. A client
    that ``is_repeating`` says that it sent the same before and heard no answer.
    """

    context: Context
    user: object | None
    said: ClientTranscript
    session_name: str | None
    model: ClientModel | None = None
    message_id: str = ""
    behind: UUID | None = None
    exchange_id: UUID = field(default_factory=uuid7)
    is_repeating: bool = False

    @property
    def identity(self) -> Identity:
        """Whose turn it is."""
        return identity_of_user(self.context, self.user)

    def make_message(self) -> HumanMessage:
        """The newest message as the client sent it."""
        return HumanMessage(self.said.newest.blocks)  # pyright: ignore[reportArgumentType]

    async def check_message(self) -> None:
        """Raises ``E_BAD_REQUEST`` for one that says nothing, says too much, or carries what is not taken."""
        await hear_message([self.make_message()], self.context.resources.settings.media_limits)


@dataclass(frozen=True, kw_only=True)
class TurnRunner:
    """Runs turns over one graph and its saver."""

    graph: TurnGraph
    saver: Saver
    resources: Resources
    gate: DecisionGate = field(default_factory=DecisionGate)
    running: set[UUID] = field(default_factory=set[UUID])

    async def run(self, turn: ChatTurn, on_words: OnWords, is_alone: Callable[[], bool] = lambda: False) -> ChatReply:
        """Take the turn; what was shown counts even when it is cut off. Raises ``BrainError`` and ``TimeoutError``.

        ``is_alone`` tells at the end whether the client has gone meanwhile and heard nothing.
        Where it stands is kept before and behind it, or else it fails: the next request could not be told from a fork.
        """
        message, place = turn.make_message(), await self._find(turn)
        turn = replace(turn, context=replace(turn.context, session=place.session_name))
        config = run_config(turn.context, turn.user, place.parent if place.is_fork else "")
        head = None if place.is_fork else await self.saver.aget_tuple(config)
        place = await self._settle_place(turn, place, config, head)
        begun, progress, interrupts = self._begin(turn, place), Progress(on_words), _interrupts(head)
        message.id = begun.message_id
        answer = _decide(interrupts, turn.said.newest)
        self.running.add(begun.exchange_id)
        try:
            async with self.gate.decide_in_words(
                (turn.identity.scope.tenant_id, thread_of(config)),
                interrupts if answer else (),
                lambda: self.find_interrupts(config),
            ):
                await self._save_exchange(turn, begun)
                await self._answer(turn, answer or {"messages": [message]}, config, begun, progress)
                await run_to_completion(self._keep(turn, config, replace(begun, heard=not is_alone()), progress.text))
        finally:
            self.running.discard(begun.exchange_id)
        return _reply(progress, turn, place)

    async def has_answered(self, turn: ChatTurn) -> bool:
        """Whether words were shown in reply to this very message, of a conversation that is kept here."""
        before = await self._finder(turn).find_message(turn.said, turn.session_name or "", turn.message_id)
        return before is not None and before.exchange_sha256 != hash_exchange(turn.said.newest.text, "")

    async def is_answered_elsewhere(self, turn: ChatTurn) -> bool:
        """Whether another process that lives answers this very message."""
        before = await self._finder(turn).find_message(turn.said, turn.session_name or "", turn.message_id)
        return before is not None and before.answering not in (None, self.gate.process_id)

    async def find_interrupts(self, config: RunnableConfig) -> list[Any]:
        """What the thread waits for."""
        return _interrupts(await self.saver.aget_tuple(config))

    async def resume(self, answer: Command[Any], config: RunnableConfig, context: Context) -> None:
        """Carry on a turn that waited, to its end. Raises ``BrainError``."""
        async for _ in self.graph.astream(answer, config, context=context, stream_mode=["updates"], durability="exit"):
            pass

    async def _answer(
        self, turn: ChatTurn, given: Any, config: RunnableConfig, begun: ChatExchange, progress: Progress
    ) -> None:
        try:
            async with asyncio.timeout(self.resources.settings.request_timeout):
                await self._stream(given, config, turn, progress)
        except BaseException:
            await run_to_completion(self._try_to_keep(turn, config, begun, progress.text))
            raise
        if not isinstance(given, Command) and not await self._is_saved(config, begun.message_id):
            await self._stream(given, config, turn, Progress(lambda words: None))  # finds the answer in the log

    async def _is_saved(self, config: RunnableConfig, message_id: str) -> bool:
        """Whether the thread has the message: the checkpoint behind a stored turn may be lost."""
        newest = await self.saver.aget_tuple(thread_config(config))
        messages: list[AnyMessage] = newest.checkpoint["channel_values"].get("messages", []) if newest else []
        return any(each.id == message_id for each in messages)

    async def _settle_place(
        self, turn: ChatTurn, place: ConversationPlace, config: RunnableConfig, head: CheckpointTuple | None
    ) -> ConversationPlace:
        """The place with its checkpoint: a new thread's, or the one that a crash kept from being noted."""
        at = head.checkpoint["id"] if head else ""
        if place.is_end and at:
            return replace(place, parent=at)
        if place.behind and place.behind.is_open and at and at != place.parent:
            await self._save_exchange(turn, replace(place.behind, checkpoint=at))
            return replace(place, parent=at)
        return place if place.parent else await self._open_thread(turn, place, config)

    async def _find(self, turn: ChatTurn) -> ConversationPlace:
        finder = self._finder(turn)
        if turn.behind:
            return await finder.find_behind(turn.said, turn.session_name, turn.behind)
        if turn.message_id and turn.session_name:
            return await finder.find_end(turn.said, turn.session_name, turn.message_id)
        return await finder.find(turn.said, turn.session_name)

    def _finder(self, turn: ChatTurn) -> PlaceFinder:
        exchanges, resources = self.resources.memory.chat_exchanges, self.resources
        return PlaceFinder(
            exchanges=exchanges,
            log=resources.memory.log,
            scope=turn.identity.scope,
            new_id=resources.new_id,
            now=resources.clock(),
            running=self.running,
            process_id=self.gate.process_id,
            is_repeating=turn.is_repeating,
        )

    async def _open_thread(self, turn: ChatTurn, place: ConversationPlace, config: RunnableConfig) -> ConversationPlace:
        """Lay down an empty checkpoint, so that the first message can be asked or worded anew as well."""
        checkpoint = empty_checkpoint()
        await self.saver.aput(config, checkpoint, {"source": "input", "step": -1, "parents": {}}, {})
        if turn.said.history:
            await import_history(turn.said.history, place.session_name, turn.identity, self.resources)
            await self._save_exchange(turn, self._imported(turn.said, place, checkpoint["id"]))
        return replace(place, parent=checkpoint["id"])

    def _imported(self, said: ClientTranscript, place: ConversationPlace, checkpoint: str) -> ChatExchange:
        """The last exchange of a history that was never seen, which ends where the thread begins."""
        last = said.history[-1]
        return ChatExchange(
            exchange_id=self.resources.new_id(),
            session_name=place.session_name,
            said_sha256=hash_said([each.words for each in said.history]),
            exchange_sha256=hash_exchange(last.words, last.reply),
            message_id="",
            parent_checkpoint="",
            checkpoint=checkpoint,
            created_at=self.resources.clock(),
        )

    async def _stream(self, input: Any, config: RunnableConfig, turn: ChatTurn, progress: Progress) -> None:
        streamed = ReplyStream(progress.speak)
        modes = ["messages", "updates"]
        async for mode, piece in self.graph.astream(
            input, config, context=turn.context, stream_mode=modes, durability="exit"
        ):
            if mode == "messages":
                streamed.take(*piece)
            else:
                progress.step(piece)
        if progress.interrupts:
            progress.speak(describe_approval(progress.interrupts, turn.said.newest.text))

    async def _try_to_keep(self, turn: ChatTurn, config: RunnableConfig, begun: ChatExchange, reply: str) -> None:
        """The same for a turn that failed anyway."""
        try:
            await self._keep(turn, config, begun, reply)
        except BrainError as error:
            log.warning("chat_exchange_not_kept", code=error.code)

    async def _keep(self, turn: ChatTurn, config: RunnableConfig, begun: ChatExchange, reply: str) -> None:
        """Note where the answer stands, for the next request that brings it. The turn itself is stored already."""
        newest = await self.saver.aget_tuple(thread_config(config))
        told = hash_exchange(turn.said.newest.text, reply)
        checkpoint, at = newest.checkpoint["id"] if newest else begun.checkpoint, self.resources.clock()
        answered = replace(begun, exchange_sha256=told, checkpoint=checkpoint, created_at=at, answering=None)
        await self._save_exchange(turn, answered)

    def _begin(self, turn: ChatTurn, place: ConversationPlace) -> ChatExchange:
        """The exchange as long as nothing is known of its answer."""
        said = turn.said
        return ChatExchange(
            exchange_id=turn.exchange_id,
            session_name=place.session_name,
            said_sha256=said.said_sha256,
            exchange_sha256=hash_exchange(said.newest.text, ""),
            message_id=place.name_message(said),
            parent_checkpoint=place.parent,
            checkpoint=place.parent,
            created_at=self.resources.clock(),
            answering=self.gate.process_id,
        )

    async def _save_exchange(self, turn: ChatTurn, exchange: ChatExchange) -> None:
        keep_after = exchange.created_at - timedelta(days=self.resources.settings.session_days)
        await self.resources.memory.chat_exchanges.save(turn.identity.scope, exchange, keep_after)


def _interrupts(found: CheckpointTuple | None) -> list[Any]:
    writes = (found.pending_writes if found else None) or []
    return [each for _, channel, value in writes if channel == INTERRUPT for each in value]


def _decide(interrupts: Sequence[Any], newest: ChatMessage) -> Command[Any] | None:
    """What a message decides about that the turn waits for; one that carries more than words is a message."""
    return read_approval(interrupts, newest.text) if interrupts and not newest.carries_more else None


def _reply(progress: Progress, turn: ChatTurn, place: ConversationPlace) -> ChatReply:
    calls = turn.model.calls if turn.model else []
    finish: FinishReason = "tool_calls" if calls else "length" if TOO_LONG in progress.degraded else "stop"
    return ChatReply(
        text=progress.text,
        finish_reason=finish,
        tool_calls=calls,
        input_tokens=sum(each["input_tokens"] for each in progress.usage),
        output_tokens=sum(each["output_tokens"] for each in progress.usage),
        details={
            "session": place.session_name,
            "operation_id": progress.operation_id,
            "degraded_reasons": progress.degraded,
        },
    )
