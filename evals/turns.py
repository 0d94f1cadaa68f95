"""One turn of Brain and one of a bare LangGraph agent, around a model that answers at once."""

import copy
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, process_time
from typing import Any, Literal, TypeVar
from uuid import uuid4

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from pydantic import BaseModel

from brain.context import Context
from brain.intent_rules import IntentForm, classify
from brain.models.port import ToolSpec
from brain.resources import Resources
from evals.contenders import namespace
from evals.filling import Person
from graphs.brain import builder
from nodes.rewrite_query import Rewriting

Durability = Literal["exit", "async"]
Saver = BaseCheckpointSaver[Any]
Turn = Callable[[int, str], Awaitable[object]]
"""The n-th turn, and what the user says in it."""
T = TypeVar("T", bound=BaseModel)

REPLY = "I see. Tell me more about it."
PER_CONVERSATION = 10
"""Turns after which another conversation begins."""
LOOKED_UP = 8
"""Memories that the bare agent gives to its model: as many as Brain puts into a prompt."""


@dataclass(frozen=True)
class InstantModel:
    """Says the same at once, and fills the forms of a turn by rule, with the ``rewrites`` that it is given."""

    rewrites: tuple[str, ...] = ()
    name: str = "instant"

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """The reply."""
        return AIMessage(REPLY)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """An intent or a rewriting; a turn asks for nothing else."""
        forms: dict[type[BaseModel], BaseModel] = {
            Rewriting: Rewriting(queries=list(self.rewrites)),
            IntentForm: IntentForm(intent_type=classify(messages[-1].text).intent_type),
        }
        form = forms[schema]
        assert isinstance(form, schema)
        return form


@dataclass(frozen=True)
class Spent:
    """Seconds of a node, turn by turn: until it was done, and of this process's own computing meanwhile."""

    until_done: list[float] = field(default_factory=list[float])
    computing: list[float] = field(default_factory=list[float])


NodeTimes = dict[str, Spent]


@dataclass(frozen=True)
class Timed(Runnable[Any, Any]):
    """A node that notes how long it takes."""

    node: Runnable[Any, Any]
    spent: Spent

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The turn is asynchronous; a node never runs this way."""
        raise NotImplementedError

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The node's own answer."""
        begun, computed = perf_counter(), process_time()
        try:
            return await self.node.ainvoke(input, config, **kwargs)
        finally:
            self.spent.until_done.append(perf_counter() - begun)
            self.spent.computing.append(process_time() - computed)


def timed_brain() -> tuple[Any, NodeTimes]:
    """Brain's graph, not yet compiled, with a clock in every node."""
    times: NodeTimes = {}
    timed = copy.copy(builder)
    timed.nodes = {
        name: replace(spec, runnable=_time_node(spec.runnable, name, times)) for name, spec in builder.nodes.items()
    }
    return timed, times


def brain_turns(graph: Any, resources: Resources, durability: Durability, person: Person) -> Turn:
    """Turns of a compiled Brain in conversations of their own."""
    run, context = uuid4().hex, Context(resources=resources, tenant=person.tenant, user=person.user)

    async def turn(number: int, text: str) -> None:
        state = {"messages": [HumanMessage(text)]}
        await graph.ainvoke(state, _conversation(run, number), context=context, durability=durability)

    return turn


@dataclass(frozen=True, kw_only=True)
class Bare:
    """An agent of one node: look up memories in LangGraph's store, call the model; ``remembers`` writes both sides."""

    store: BaseStore
    saver: Saver
    person: Person
    remembers: bool = False

    def turns(self, durability: Durability) -> Turn:
        """Turns in conversations of their own."""
        run = uuid4().hex
        graph: Any = StateGraph(MessagesState)
        graph.add_node("agent", self._agent).add_edge(START, "agent")
        compiled = graph.compile(checkpointer=self.saver, store=self.store)

        async def turn(number: int, text: str) -> None:
            state = {"messages": [HumanMessage(text)]}
            await compiled.ainvoke(state, _conversation(run, number), durability=durability)

        return turn

    async def _agent(self, state: MessagesState, runtime: Runtime) -> dict[str, list[BaseMessage]]:
        assert runtime.store is not None
        asked = state["messages"][-1].text
        found = await runtime.store.asearch(namespace(self.person), query=asked, limit=LOOKED_UP)
        remembered = "\n".join(str(item.value["text"]) for item in found)
        reply = await InstantModel().stream([SystemMessage(remembered), *state["messages"]])
        for text in (asked, reply.text) if self.remembers else ():
            await runtime.store.aput(namespace(self.person), uuid4().hex, {"text": text})
        return {"messages": [reply]}


def _time_node(node: Any, name: str, times: NodeTimes) -> Timed:
    return Timed(node, times.setdefault(name, Spent()))


def _conversation(run: str, number: int) -> RunnableConfig:
    return {"configurable": {"thread_id": f"{run}-{number // PER_CONVERSATION}"}}
