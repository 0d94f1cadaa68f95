"""A conversation at the terminal: one graph, one thread, a report of every turn."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol, TypedDict, cast
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import Runtime
from langgraph.types import Command, Durability, Interrupt, StateSnapshot, StreamMode

from apps.cli.timing import NodeTimes, OnNodes
from apps.reply_stream import OnToken, ReplyStream
from apps.threads.registry import stamp_for
from brain.approval import ApprovalRequest, Decision
from brain.context import Context
from brain.identity import Identity, identity_of
from brain.media.message import hear_message
from brain.state import ChangeAct, MemoryChange, MemoryUse, TurnInfo, merge_unique
from graphs.brain import builder
from memory.errors import BrainError
from memory.scope import Scope
from memory.zones import require_zone
from nodes.open_session import session_of

_STEPS = 20
_STEPS_PER_ROUND = 3
"""Supersteps of a turn without tools, generously, and of one round of tools."""

_POLL = 0.03


class ConversationGraph(Protocol):
    """What a conversation needs of a compiled graph."""

    def astream(
        self,
        input: Mapping[str, Any] | Command[Any],
        config: RunnableConfig,
        *,
        context: Context,
        stream_mode: Sequence[StreamMode],
        durability: Durability,
    ) -> AsyncIterator[Any]:
        """Pairs of stream mode and piece."""
        ...

    async def aget_state(self, config: RunnableConfig) -> StateSnapshot:
        """The thread as it stands."""
        ...


class TurnReport(TypedDict):
    """What a turn did, as ``--json`` prints it."""

    reply: str
    intent: dict[str, Any]
    memories: list[dict[str, Any]]
    rejected: list[dict[str, Any]]
    degraded_reasons: list[str]
    receipt_ids: list[str]
    node_ms: dict[str, float]
    operation_id: str
    session: str
    turn_ms: float
    change: ChangeAct
    """What the turn did to memory because the person asked for it; empty when nothing was done."""
    approval: ApprovalRequest | None
    """What the turn waits for before it goes on."""


@dataclass
class _TurnRecord:
    """What went by while the graph ran. The last step empties the texts of memories, so they are kept from before."""

    reply: str = ""
    intent: dict[str, Any] = field(default_factory=dict[str, Any])
    memories: list[MemoryUse] = field(default_factory=list[MemoryUse])
    rejected: list[MemoryUse] = field(default_factory=list[MemoryUse])
    degraded: list[str] = field(default_factory=list[str])
    receipts: list[str] = field(default_factory=list[str])
    operation_id: str = ""
    change: ChangeAct = ""
    approval: ApprovalRequest | None = None

    def step(self, updates: Mapping[str, Any]) -> None:
        """Fold in one step: each node's update, or the list of them when the node ran several times."""
        for node, update in updates.items():
            if node == "__interrupt__":
                self.approval = _first_request(update)
                continue
            for each in update if isinstance(update, list) else [update]:  # pyright: ignore[reportUnknownVariableType]
                self.take(node, each or {})  # pyright: ignore[reportUnknownArgumentType]

    def take(self, node: str, update: Mapping[str, Any]) -> None:
        """Fold in what one node wrote."""
        self.degraded = merge_unique(self.degraded, update.get("degraded") or [])
        self.intent = update.get("intent") or self.intent
        self.receipts = update.get("receipts") or self.receipts
        turn: TurnInfo | None = update.get("turn")
        self.operation_id = turn["operation_id"] if turn else self.operation_id
        change: MemoryChange | None = update.get("change")
        self.change = change["act"] if change and change["outcome"] == "done" else self.change
        if node != "capture_signals":
            self.memories = update.get("memories", self.memories)
            self.rejected = update.get("rejected", self.rejected)
            self.reply = _last_reply(update.get("messages") or []) or self.reply


@dataclass(frozen=True, kw_only=True)
class TurnListener:
    """Who watches a turn: the words of the reply as they come, and the nodes at work."""

    on_token: OnToken = lambda _: None
    on_nodes: OnNodes = lambda _: None


DEAF = TurnListener()


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """One person's conversation: say something, watch the words arrive, get the report."""

    graph: ConversationGraph
    context: Context

    @property
    def scope(self) -> Scope:
        """The rows that this conversation reads and writes."""
        return owner_of(self.context).scope

    async def say(
        self, text: str, listener: TurnListener = DEAF, attached: Sequence[Mapping[str, Any]] = ()
    ) -> TurnReport:
        """One turn, which may wait for approval. The last token comes before the capture. Raises ``BrainError``."""
        content: list[str | dict[str, Any]] = [{"type": "text", "text": text}, *map(dict, attached)]
        message = HumanMessage(content if attached else text)
        await hear_message([message], self.context.resources.settings.media_limits)
        return await self._run({"messages": [message]}, _TurnRecord(), listener)

    async def decide(self, decisions: Sequence[Decision], listener: TurnListener = DEAF) -> TurnReport:
        """Carry on a turn that waited for approval. Raises ``BrainError``."""
        values = (await self.graph.aget_state(self._config())).values
        turn: TurnInfo | None = values.get("turn")
        known = _TurnRecord(intent=values.get("intent") or {}, operation_id=turn["operation_id"] if turn else "")
        return await self._run(Command(resume={"decisions": list(decisions)}), known, listener)

    async def pending_approval(self) -> ApprovalRequest | None:
        """What the thread waits for, also when another process asked for it."""
        return _first_request((await self.graph.aget_state(self._config())).interrupts)

    async def earlier_messages(self) -> list[str]:
        """What the person said in the thread so far, as far as it is still kept there."""
        values = (await self.graph.aget_state(self._config())).values
        return [each.text for each in values.get("messages", ()) if isinstance(each, HumanMessage)]

    async def _run(
        self, given: Mapping[str, Any] | Command[Any], seen: _TurnRecord, listener: TurnListener
    ) -> TurnReport:
        started, streamed = perf_counter(), ReplyStream(listener.on_token)
        times = NodeTimes(on_nodes=listener.on_nodes)
        async for mode, piece in self._steps(given, times):
            if mode == "messages":
                streamed.take(*piece)
            else:
                seen.step(piece)
        return _report(seen, self.context.session, times, started)

    async def wait_for_memory(self, operation_id: str, seconds: float) -> None:
        """Have the turn's memory work begin; return when it has ended, after so many seconds, or if nobody can tell.

        The turn is stored: a database that goes away now must not make it look as if it had failed.
        """
        with suppress(TimeoutError, BrainError):
            async with asyncio.timeout(seconds):
                await self.context.resources.memory.log.hasten(self.scope, UUID(operation_id))
                while await self.is_waiting(operation_id):  # noqa: ASYNC110 - the work is done elsewhere
                    await asyncio.sleep(_POLL)

    async def is_waiting(self, operation_id: str) -> bool:
        """Whether the turn's memory work has not ended yet."""
        found = await self.context.resources.memory.log.operation(self.scope, UUID(operation_id))
        return found is not None and found.status in ("accepted", "queued")

    def _steps(self, given: Mapping[str, Any] | Command[Any], times: NodeTimes) -> AsyncIterator[Any]:
        return self.graph.astream(
            given,
            self._config(times),
            context=self.context,
            stream_mode=["messages", "updates"],
            durability="exit",
        )

    def _config(self, *callbacks: NodeTimes) -> RunnableConfig:
        """The thread is the session: an id that no other tenant, person or scope can arrive at. Each turn is a run."""
        owner = owner_of(self.context)
        thread = str(session_of(owner, self.context.session))
        limit = _STEPS + _STEPS_PER_ROUND * (self.context.max_tool_rounds + 1)
        return RunnableConfig(
            configurable={"thread_id": thread},
            metadata=stamp_for(owner),
            callbacks=[*callbacks],
            recursion_limit=limit,
            run_id=self.context.resources.new_id(),
        )


def context_with_session(context: Context) -> Context:
    """The context with a session of its own. Raises ``E_BAD_REQUEST`` for a name or a zone that cannot be used."""
    owner_of(context)
    require_zone(context.time_zone or context.resources.settings.time_zone)
    return replace(context, session=context.session or context.resources.clock().isoformat(timespec="milliseconds"))


def exchange(saver: BaseCheckpointSaver[Any], context: Context) -> Exchange:
    """The person's conversation over a saver."""
    graph = cast("ConversationGraph", builder.compile(checkpointer=saver))  # pyright: ignore[reportUnknownMemberType]
    return Exchange(graph=graph, context=context_with_session(context))


def owner_of(context: Context) -> Identity:
    """The person at the terminal, whose word about who they are is taken."""
    return identity_of(Runtime(context=context))


def _report(seen: _TurnRecord, session: str, times: NodeTimes, started: float) -> TurnReport:
    return TurnReport(
        reply=seen.reply,
        intent=seen.intent,
        memories=[client_memory(memory) for memory in seen.memories],
        rejected=[client_memory(memory) for memory in seen.rejected],
        degraded_reasons=seen.degraded,
        receipt_ids=seen.receipts,
        node_ms=times.milliseconds,
        operation_id=seen.operation_id,
        session=session,
        turn_ms=round((perf_counter() - started) * 1000, 3),
        change=seen.change,
        approval=seen.approval,
    )


def _first_request(interrupts: Sequence[Interrupt]) -> ApprovalRequest | None:
    return interrupts[0].value if interrupts else None


def client_memory(memory: MemoryUse) -> dict[str, Any]:
    """A memory of the turn under the names that a client sees."""
    return {"id": memory["memory_id"], **{key: value for key, value in memory.items() if key != "memory_id"}}


def _last_reply(messages: Sequence[BaseMessage]) -> str:
    replies = [message.text for message in messages if isinstance(message, AIMessage) and message.text]
    return replies[-1] if replies else ""
