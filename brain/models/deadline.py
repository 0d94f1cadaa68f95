"""A model that a reply waits for, but not for long."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.circuit_breaker import CircuitBreaker
from brain.models.errors import ModelUnavailable
from brain.models.port import ChatModel, ToolSpec

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class DeadlineModel:
    """Gives up on a form after ``seconds``, so that rules go ahead.

    One that is too slow again and again is not asked for a while: its answers would be paid for and thrown away.
    """

    model: ChatModel
    seconds: float
    breaker: CircuitBreaker

    @property
    def name(self) -> str:
        """The model is the same."""
        return self.model.name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """Who listens to words as they come is not made to wait by them."""
        return await self.model.stream(messages, tools)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``. Raises ``ModelUnavailable`` when the time is over, or would certainly be."""
        if self.seconds <= 0 or not self.breaker.allow_request():
            raise ModelUnavailable("model_timeout")
        try:
            async with asyncio.timeout(self.seconds):
                answer = await self.model.fill(schema, messages)
        except TimeoutError as late:
            self.breaker.record_failure()
            raise ModelUnavailable("model_timeout") from late
        self.breaker.record_success()
        return answer
