"""The chat model of one request: with the client's own system prompt and tools, whose calls go back to the client."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage
from pydantic import BaseModel, TypeAdapter, ValidationError

from apps.chat_api.request import CallMade, ChatMessage
from brain.models.errors import ModelUnavailable
from brain.models.port import ChatModel, ModelWishes, ToolSpec
from brain.notices import FOR_PROGRAM, LIMITED
from brain.safety.guarded_model import check_added
from memory.errors import BrainError, bad_request

T = TypeVar("T", bound=BaseModel)
_ARGUMENTS = TypeAdapter(dict[str, object])


@dataclass
class ClientModel:
    """Wraps the model that answers. ``calls`` are what it asked of the client; the turn ends with them.

    A client's results may say anything: once they are in the prompt, or words of the client that the guard objects to,
    none of Brain's tools that change something is offered any more.
    """

    inner: ChatModel
    system: str
    tools: Sequence[ToolSpec]
    results: Sequence[BaseMessage]
    wishes: ModelWishes = field(default_factory=ModelWishes)
    calls: list[ToolCall] = field(default_factory=list[ToolCall])

    @property
    def name(self) -> str:
        """The model as the provider calls it."""
        return self.inner.name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """See ``ChatModel.stream``. A reply that calls the client's tools comes back without calls, for it ends.

        Where one of these has to be called, no other is offered. Raises ``E_BAD_REQUEST`` where the model refuses what
        the client wishes.
        """
        own = {tool.name for tool in self.tools}
        brains = () if self.wishes.tool_choice else [tool for tool in tools if tool.name not in own]
        if not await self._are_words_harmless() or self.results:
            brains = [tool for tool in brains if tool.risk == "low"]
        offered = [*brains, *self.tools]
        try:
            reply = await self.inner.stream(self._complete(messages), offered)
        except ModelUnavailable as refused:
            if not self.wishes or refused.reason != "model_bad_request":
                raise
            raise self._complaint() from None
        self.calls = [call for call in reply.tool_calls if call["name"] in own]
        reply.response_metadata |= {FOR_PROGRAM: self.wishes.is_form, LIMITED: self.wishes.is_limited}
        return reply.model_copy(update={"tool_calls": []}) if self.calls else reply

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``."""
        return await self.inner.fill(schema, messages)

    async def _are_words_harmless(self) -> bool:
        """Whether what the client adds to the prompt calls for nothing that the safety contract forbids."""
        system = [SystemMessage(self.system)] if self.system else []
        return await check_added([*system, *self.results])

    def _complaint(self) -> BrainError:
        """Providers do not say alike which one it is: all that were sent are named."""
        sent = [*self.wishes.options, *(["tool_choice"] if self.wishes.tool_choice else [])]
        told = f"The model behind refuses the request with {', '.join(sent)}."
        field = sent[0] if len(sent) == 1 else ""
        return BrainError("E_BAD_REQUEST", told, "Leave out what it cannot do.", field)

    def _complete(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Brain's own prompt stays the beginning; the client's words stand behind it, its results behind the user's."""
        spoken_at = max(place for place, each in enumerate(messages) if isinstance(each, HumanMessage)) + 1
        system = [SystemMessage(self.system)] if self.system else []
        return [*messages[:1], *system, *messages[1:spoken_at], *self.results, *messages[spoken_at:]]


def tool_round(message: ChatMessage) -> BaseMessage:
    """A call or a result of the client's tools. Raises ``E_BAD_REQUEST`` for arguments that are no JSON object."""
    if message.role == "tool":
        return ToolMessage(message.text, tool_call_id=str(message.tool_call_id))
    return AIMessage(message.text, tool_calls=[_call(each) for each in message.tool_calls or ()])


def _call(call: CallMade) -> ToolCall:
    try:
        arguments = _ARGUMENTS.validate_python(json.loads(call.function.arguments or "{}"))
    except (ValueError, ValidationError):
        raise bad_request("The arguments of a tool call are not a JSON object.") from None
    return ToolCall(name=call.function.name, args=arguments, id=call.id)
