"""Memory for an agent of ``create_agent``: recall before the model, a gate before tools, capture at the end."""

import logging
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, Protocol
from uuid import NAMESPACE_URL, uuid5

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ExtendedModelResponse,
    ModelRequest,
    ModelResponse,
    ToolCallRequest,
)
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.channels import UntrackedValue
from langgraph.runtime import ExecutionInfo, Runtime, ServerInfo
from langgraph.types import Command

from brain_memory.answers import UNAVAILABLE, MemoryContext
from brain_memory.client import BrainClient
from brain_memory.errors import BrainRefused
from brain_memory.tool_gate import Risk, ToolGate
from brain_memory.turn_messages import find_question, find_reply, insert_context

log = logging.getLogger("brain_memory")


class RunInfo(Protocol):
    """What a run tells about itself."""

    @property
    def context(self) -> Any:
        """The context that the run was invoked with."""
        ...

    @property
    def server_info(self) -> ServerInfo | None:
        """The agent server and its authenticated user, where there is one."""
        ...

    @property
    def execution_info(self) -> ExecutionInfo | None:
        """The thread and the run."""
        ...


NameOf = Callable[[RunInfo], str | None]


class MemoryState(AgentState[Any]):
    """The agent's state with what memory gave for the run; in no checkpoint, so that what is forgotten is gone."""

    brain_memory: NotRequired[Annotated[MemoryContext, UntrackedValue, PrivateStateAttr]]


def name_thread(run: RunInfo) -> str | None:
    """The thread of a run as the session of its turns; None without a checkpointer."""
    return run.execution_info.thread_id if run.execution_info else None


class BrainMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """Recalls once per run, before the model; captures the turn when the agent is done.

    ``user`` names the person of a run, for keys that speak for several; without it, it is the client's own. ``session``
    names the conversation. ``tokens`` bounds what is recalled. ``risks`` says by name how dangerous tools are
    (``ToolGate``). Whatever the server does, the agent goes on: the log ``brain_memory`` tells when it does so without
    memory.
    """

    state_schema = MemoryState

    def __init__(
        self,
        client: BrainClient,
        *,
        user: NameOf | None = None,
        session: NameOf = name_thread,
        tokens: int | None = None,
        risks: Mapping[str, Risk] | None = None,
    ) -> None:
        super().__init__()
        self._client = client
        self._user, self._session, self._tokens = user, session, tokens
        self._gate = ToolGate(risks or {})

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ExtendedModelResponse[Any]:
        """Let the model see what memory knows. The first call of a run recalls; the others find it in the state."""
        memory, question = _recalled(request.state)
        if question is not None:
            memory = self._recall(question, request.runtime)
        return _remembering(handler(_with_context(request, memory)), memory)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ExtendedModelResponse[Any]:
        """Let the model see what memory knows. The first call of a run recalls; the others find it in the state."""
        memory, question = _recalled(request.state)
        if question is not None:
            memory = await self._arecall(question, request.runtime)
        return _remembering(await handler(_with_context(request, memory)), memory)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Run a tool, unless only memory asks for it. A resumed run has to recall again."""
        if not self._gate.checks(request):
            return handler(request)
        memory, question = _recalled(request.state)
        if question is not None:
            memory = _if_available(self._recall(question, _run_of(request)))
        return self._gate.refuse(request, memory) or handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """Run a tool, unless only memory asks for it. A resumed run has to recall again."""
        if not self._gate.checks(request):
            return await handler(request)
        memory, question = _recalled(request.state)
        if question is not None:
            memory = _if_available(await self._arecall(question, _run_of(request)))
        return self._gate.refuse(request, memory) or await handler(request)

    def after_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        """Capture the turn."""
        with _log_refusal():
            if turn := self._read_turn(state, runtime):
                self._client.after_llm(turn.question, turn.reply, turn.context, key=turn.key)

    async def aafter_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        """Capture the turn."""
        with _log_refusal():
            if turn := self._read_turn(state, runtime):
                await self._client.aafter_llm(turn.question, turn.reply, turn.context, key=turn.key)

    def _recall(self, question: HumanMessage, run: RunInfo) -> MemoryContext:
        with _log_refusal():
            return self._client.before_llm(question.text, tokens=self._tokens, **self._place(run))
        return MemoryContext(degraded=(UNAVAILABLE,))

    async def _arecall(self, question: HumanMessage, run: RunInfo) -> MemoryContext:
        with _log_refusal():
            return await self._client.abefore_llm(question.text, tokens=self._tokens, **self._place(run))
        return MemoryContext(degraded=(UNAVAILABLE,))

    def _place(self, run: RunInfo) -> dict[str, str | None]:
        """Whose memory, and which conversation. A run that names nobody has no memory: never somebody else's."""
        user = self._user(run) or "" if self._user else None
        return {"user": user, "session": self._session(run)}

    def _read_turn(self, state: MemoryState, run: RunInfo) -> "_Turn | None":
        question = find_question(state["messages"])
        if question is None:
            return None
        reply = find_reply(state["messages"], question)
        recalled = state.get("brain_memory", MemoryContext())
        place = self._place(run)
        context = replace(recalled, user=place["user"], session=recalled.session or place["session"])
        return _Turn(question.text, reply.text if reply else "", context, _key_of(question, reply))


@dataclass(frozen=True)
class _Turn:
    """What is captured."""

    question: str
    reply: str
    context: MemoryContext
    key: str


def _recalled(state: Mapping[str, Any]) -> tuple[MemoryContext, HumanMessage | None]:
    """What the run recalled; else nothing, and the question for which that has to be done."""
    memory: MemoryContext | None = state.get("brain_memory")
    if memory is not None:
        return memory, None
    return MemoryContext(), find_question(state["messages"])


def _with_context(request: ModelRequest[Any], memory: MemoryContext) -> ModelRequest[Any]:
    """The request with what was recalled, behind everything that stays the same over turns."""
    return request.override(messages=insert_context(request.messages, memory.text)) if memory.text else request


def _remembering(response: ModelResponse[Any], memory: MemoryContext) -> ExtendedModelResponse[Any]:
    """The response, and for the rest of the run what was recalled."""
    return ExtendedModelResponse(response, Command(update={"brain_memory": memory}))


def _run_of(request: ToolCallRequest) -> RunInfo:
    return request.runtime  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _if_available(memory: MemoryContext) -> MemoryContext | None:
    return memory if memory.is_available else None


def _key_of(question: HumanMessage, reply: AIMessage | None) -> str:
    """The same for the same two messages, so that a run that ends twice is captured once."""
    return str(uuid5(NAMESPACE_URL, f"brain-memory:{question.id}:{reply.id if reply else ''}"))


@contextmanager
def _log_refusal() -> Generator[None]:
    """Around a call of memory: what the server refuses is told in the log, and the agent goes on."""
    try:
        yield
    except BrainRefused as error:
        log.error("going on without memory: it was refused (%s)", error)
