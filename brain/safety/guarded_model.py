"""A model that is asked for a form only after the guard has looked at what it is about to read."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

import structlog
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.models.port import ChatModel, ToolSpec
from brain.safety.guardrail import check_texts, load_contract

log = structlog.get_logger(__name__)

T = TypeVar("T", bound=BaseModel)
WARNING = "guardrail_warning"
"""The reason code of a step whose model read something that the guard objects to."""

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
    """Nothing is blocked: a form has no effect by itself, and high-risk tools have a gate of their own."""

    model: ChatModel

    @property
    def name(self) -> str:
        """The model is the same."""
        return self.model.name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """A reply has a step of its own before it: ``check_guard``, which also looks for the anchors."""
        return await self.model.stream(messages, tools)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``."""
        _check(schema.__name__, messages)
        return await self.model.fill(schema, messages)


def _check(form: str, messages: Sequence[BaseMessage]) -> None:
    guard = check_texts(load_contract(), "\n".join(message.text for message in messages))
    if guard["passed"]:
        return
    log.warning(WARNING, form=form, code=guard["error_code"], violated=len(guard["violated_constraints"]))
    hits = _hits.get()
    if hits is not None:
        hits.append(guard["error_code"])
