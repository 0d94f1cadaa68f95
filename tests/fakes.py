"""What node tests lean on: a run in the test's own tenant, a scripted model and a clock that stands still."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import ExecutionInfo, Runtime, ServerInfo
from pydantic import BaseModel

from brain.context import Context
from brain.models.port import ToolSpec
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from brain.state import MemoryUse, OpenTurn, TurnInfo
from knowledge.port import KnowledgePort, NoKnowledge
from memory.embedding import Embedder
from memory.ports import MemoryCore
from memory.session_state import SessionState
from tests.this_test import THIS_TEST, own_memory, own_tenant

T = TypeVar("T", bound=BaseModel)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass
class FakeModel:
    """Says what it was told to, in order or by form; an exception in the script is raised. Keeps what it was asked."""

    replies: list[AIMessage | Exception] = field(default_factory=list[AIMessage | Exception])
    forms: list[BaseModel | Exception] = field(default_factory=list[BaseModel | Exception])
    forms_by: Mapping[type[BaseModel], BaseModel] = field(default_factory=dict[type[BaseModel], BaseModel])
    asked: list[Sequence[BaseMessage]] = field(default_factory=list[Sequence[BaseMessage]])
    offered: list[Sequence[ToolSpec]] = field(default_factory=list[Sequence[ToolSpec]])
    name: str = "fake"

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        self.asked.append(messages)
        self.offered.append(tools)
        return _or_raise(self.replies.pop(0))

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        self.asked.append(messages)
        answer = self.forms_by.get(schema) or _or_raise(self.forms.pop(0))
        assert isinstance(answer, schema)
        return answer


R = TypeVar("R")


def _or_raise(answer: R | Exception) -> R:
    if isinstance(answer, Exception):
        raise answer
    return answer


NOWHERE = Path("/dev/null/brain")
"""A folder that nobody can make, not even root."""


def a_settings(**values: object) -> Settings:
    """Settings that read neither the environment's database nor a file, and start no database by accident."""
    return Settings(_env_file=None, **{"data_dir": NOWHERE, **values})  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Leanings:
    """What the run of a test leans on; everything has a harmless default."""

    memory: MemoryCore = field(default_factory=own_memory)
    chat: FakeModel | None = None
    fast: FakeModel | None = None
    knowledge: KnowledgePort = field(default_factory=NoKnowledge)
    embedder: Embedder | None = None
    settings: Settings = field(default_factory=a_settings)
    clock: Callable[[], datetime] = lambda: NOW
    numbers: Iterator[int] = field(default_factory=lambda: THIS_TEST.numbers)


def resources_of(leanings: Leanings) -> Resources:
    """Resources with ids that count up, so that tests can name them."""
    return Resources(
        settings=leanings.settings,
        memory=leanings.memory,
        models=Models(chat=leanings.chat, fast=leanings.fast),
        knowledge=leanings.knowledge,
        embedder=leanings.embedder,
        clock=leanings.clock,
        new_id=lambda: UUID(int=next(leanings.numbers)),
    )


def a_run(
    leanings: Leanings | None = None, *, verified: Any = None, thread: str = "t1", **context: Any
) -> Runtime[Context]:
    """The runtime that LangGraph would hand to a node."""
    info = ExecutionInfo(checkpoint_id="c", checkpoint_ns="", task_id="task", thread_id="t1")
    server = ServerInfo(assistant_id="a", graph_id="brain", user=verified) if verified is not None else None
    resources = resources_of(leanings or Leanings())
    context = {"tenant": own_tenant(), **context}
    return Runtime(context=Context(resources=resources, **context), execution_info=info, server_info=server)


def a_turn_info(text: str = "What do I like?", **values: Any) -> TurnInfo:
    """The turn as ``open_session`` names it."""
    told = {
        "operation_id": str(UUID(int=7)),
        "session_id": str(UUID(int=8)),
        "text": text,
        "at": NOW.isoformat(),
        "time_zone": "UTC",
        "turns_before": 0,
        "own": list[str](),
    }
    return TurnInfo(**(told | values))  # type: ignore[typeddict-item]


def a_state(text: str = "What do I like?", **values: Any) -> OpenTurn:
    """A state in the middle of a turn."""
    said = [HumanMessage(text, id="m1")]
    known: dict[str, Any] = {"messages": said, "turn": a_turn_info(text), "opened": SessionState()}
    return OpenTurn(**(known | values))


def a_memory(text: str = "I like green tea", **values: Any) -> MemoryUse:
    """A memory as the turn carries it."""
    told = {
        "memory_id": str(UUID(int=99)),
        "lane": "turn",
        "text": text,
        "score": 0.9,
        "signals": {"word": 1.0},
        "speaker": "user",
        "role": "user",
        "confidence": 1.0,
        "provenance": "observation",
        "epistemic_type": "preference",
        "category": "",
        "valid_since": NOW.isoformat(),
        "decision_reason": "relevance",
        "position": None,
    }
    return MemoryUse(**(told | values))  # type: ignore[typeddict-item]
