"""A model that is asked only after the guard has looked at what it is about to read."""

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

import structlog
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.models.port import ChatModel, ToolSpec
from brain.safety.contract import SafetyContract, contract_of_documents
from brain.safety.guardrail import check_texts
from memory.errors import BrainError
from memory.ports import MemoryCore

log = structlog.get_logger(__name__)

T = TypeVar("T", bound=BaseModel)
ContractSource = Callable[[], Awaitable[SafetyContract | None]]
"""The contract of the tenant that a model works for, as it is now; None when it cannot be read."""
WARNING = "guardrail_warning"
"""The reason code of a step whose model read something that the guard objects to."""

_in_force: ContextVar[ContractSource | None] = ContextVar("brain_contract", default=None)
_hits: ContextVar[list[str] | None] = ContextVar("brain_guard_hits", default=None)


@contextmanager
def collect_guard_hits() -> Generator[list[str]]:
    """The list that the guard adds a code to for every model call inside that it objects to."""
    hits: list[str] = []
    before = _hits.set(hits)
    try:
        yield hits
    finally:
        _hits.reset(before)


@dataclass(frozen=True)
class GuardedModel:
    """Nothing is blocked: words have no effect by themselves, and high-risk tools have a gate of their own.

    The reply of a turn has a step of its own before it, ``check_guard``, which also looks for the anchors: its model
    is asked with ``checks_replies`` off.
    """

    model: ChatModel
    contract: ContractSource
    checks_replies: bool = True

    @property
    def name(self) -> str:
        """The model is the same."""
        return self.model.name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """See ``ChatModel.stream``."""
        if self.checks_replies:
            await check_call("reply", messages, self.contract)
        before = _in_force.set(self.contract)
        try:
            return await self.model.stream(messages, tools)
        finally:
            _in_force.reset(before)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``."""
        await check_call(schema.__name__, messages, self.contract)
        return await self.model.fill(schema, messages)


async def check_call(form: str, messages: Sequence[BaseMessage], contract: ContractSource) -> bool:
    """Whether the guard has nothing against what a model is about to read; what it has is logged and collected."""
    guard = check_texts(await contract(), "\n".join(message.text for message in messages))
    if guard["passed"]:
        return True
    log.warning(WARNING, form=form, code=guard["error_code"], violated=len(guard["violated_constraints"]))
    hits = _hits.get()
    if hits is not None:
        hits.append(guard["error_code"])
    return False


async def check_added(messages: Sequence[BaseMessage]) -> bool:
    """The same for what a model inside a guarded one puts into the call by itself."""
    contract = _in_force.get()
    return not messages or contract is None or await check_call("added", messages, contract)


def contract_of_tenant(memory: MemoryCore, tenant_id: UUID) -> ContractSource:
    """The contract of a tenant for work that no turn opened: read anew for every call, which takes a model's time."""

    async def read() -> SafetyContract | None:
        try:
            added, soul = await memory.safety_contracts.find_active(tenant_id), await memory.souls.active(tenant_id)
        except BrainError as error:
            log.warning("contract_not_read", code=error.code)
            return None
        return contract_of_documents(added, soul.document if soul else None)

    return read
