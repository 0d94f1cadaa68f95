"""Steps of a turn that are observed: a span for each, and one for the turn, where somebody switched telemetry on."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from time import time_ns
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.state import Incoming, State, TurnInfo, Update
from brain.telemetry import names
from brain.telemetry.spans import Attributes, SpanRecord, Step, error_type, new_span_id, root_span_id, run_step
from brain.telemetry.telemetry import Telemetry
from graphs.stage_budget import hold_to_budget
from language.secrets import mask_secrets
from nodes.capture_signals import reply_of

Node = TypeVar("Node", bound=Callable[..., Awaitable[Update]])

LAST = "capture_signals"
MAX_CONTENT = 8_000
"""Characters of a message that are told, where words are told at all."""
_OPERATIONS = {
    "retrieve": names.SEARCH_MEMORY,
    "retrieve_rewritten": names.SEARCH_MEMORY,
    LAST: names.UPSERT_MEMORY,
}
_COUNTED = ("memories", "rejected", "receipts", "passes")


def observe(name: str, node: Node) -> Node:
    """The step under its name in the graph. Where telemetry is off it costs a look at one field."""

    @wraps(node)
    async def step(state: State, runtime: Runtime[Context]) -> Update:
        telemetry = runtime.context.resources.telemetry
        if telemetry is None:
            return await node(state, runtime)
        return await _Observed(name, telemetry, state, runtime).run(node)

    return cast("Node", step)


class ObservedGraph(StateGraph[State, Context, Incoming, State]):
    """A graph of a turn, each of whose steps is observed, and held to its budget."""

    def add_node(self, node: str, action: Any, **options: Any) -> Self:  # type: ignore[override]
        """See ``StateGraph.add_node``."""
        super().add_node(node, observe(node, hold_to_budget(node, action)), **options)
        return self


class _Observed:
    """One run of a step."""

    def __init__(self, name: str, telemetry: Telemetry, state: State, runtime: Runtime[Context]) -> None:
        self._name, self._telemetry, self._state, self._runtime = name, telemetry, state, runtime
        self._span = SpanRecord(name, 0, new_span_id(), None, time_ns(), is_step=True)
        if name in _OPERATIONS:
            self._span.attributes[names.OPERATION] = _OPERATIONS[name]
        self._early: list[SpanRecord] = []

    async def run(self, node: Callable[..., Awaitable[Update]]) -> Update:
        opens = self._name == "open_session"
        turn = None if opens else self._state.turn
        step = Step(UUID(turn["operation_id"]).int if turn else 0, self._span.span_id, self._sink(turn))
        try:
            with run_step(step):
                update = await node(self._state, self._runtime)
        except GraphBubbleUp:
            self._finish(turn, {})
            self._end_turn(turn, "waiting", {})
            raise
        except BaseException as error:
            self._span.attributes[names.ERROR] = error_type(error)
            self._finish(turn, {})
            raise
        self._finish(update.get("turn") if opens else turn, update)
        if self._name == LAST:
            self._end_turn(turn, self._outcome(), update)
        return update

    def _sink(self, turn: TurnInfo | None) -> Callable[[SpanRecord], None]:
        """What a step does before its turn has a name waits for that."""
        return self._telemetry.exporter.add if turn else self._early.append

    def _finish(self, turn: TurnInfo | None, update: Update) -> None:
        """Tell of the step. One that failed before its turn had a name is a trace by itself."""
        operation = UUID(turn["operation_id"]) if turn else self._runtime.context.resources.new_id()
        span, self._span.ended = self._span, self._telemetry.clock()
        span.trace_id, span.parent_id = operation.int, root_span_id(operation) if turn else None
        span.attributes |= {f"brain.{each}": len(update[each]) for each in _COUNTED if update.get(each)}
        if turn:
            self._telemetry.begin_turn(operation, span.started)
        for each in self._early:
            each.trace_id = operation.int
            self._telemetry.exporter.add(each)
        if self._name == LAST and update.get("receipts"):
            span.attributes[names.RECEIPTS] = list(update["receipts"])
        self._telemetry.exporter.add(span)

    def _outcome(self) -> str:
        return "degraded" if self._state.degraded else "whole"

    def _end_turn(self, turn: TurnInfo | None, outcome: str, update: Update) -> None:
        if turn is None:
            return
        told: Attributes = {names.MEMORIES: len(self._state.memories)}
        if self._state.degraded:
            told[names.DEGRADED] = list(self._state.degraded)
        if intent := self._state.intent.get("intent_type"):
            told[names.INTENT] = str(intent)
        if self._state.experiment:
            told[names.EXPERIMENT] = self._state.experiment["id"]
            told[names.VARIANT] = self._state.experiment["variant"]
        if update.get("receipts"):
            told[names.RECEIPTS] = list(update["receipts"])
        told |= self._people() | self._words(turn)
        self._telemetry.end_turn(UUID(turn["operation_id"]), turn["session_id"], outcome, told)

    def _people(self) -> Attributes:
        if not self._telemetry.with_users:
            return {}
        identity = identity_of(self._runtime)
        return {names.USER: identity.user, names.TENANT: identity.tenant}

    def _words(self, turn: TurnInfo) -> Attributes:
        """What was said, without secrets. Words that memory may not keep are told nobody either."""
        opened, change = self._state.opened, self._state.change
        is_kept = turn.get("learnt", True) and (change is None or change["visibility"] == "all")
        if not self._telemetry.with_content or not is_kept or opened is None or opened.carried.get("off_record"):
            return {}
        reply: AIMessage | None = reply_of(self._state.messages)
        said: Attributes = {names.INPUT_MESSAGES: _message("user", turn["text"])}
        return said | ({names.OUTPUT_MESSAGES: _message("assistant", reply.text)} if reply else {})


def _message(role: str, text: str) -> str:
    """A message in the published form."""
    parts: list[dict[str, Any]] = [{"type": "text", "content": mask_secrets(text[:MAX_CONTENT])}]
    return json.dumps([{"role": role, "parts": parts}], ensure_ascii=False)
