"""What Brain asks of a language model: to speak to the user, and to fill in a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it. ``parameters`` is a JSON schema of type object, which ``strict`` holds a call to.

    ``risk`` is for us alone.
    """

    name: str
    description: str
    parameters: Mapping[str, object]
    risk: Literal["low", "high"] = "high"
    strict: bool | None = None

    def as_openai(self) -> dict[str, object]:
        """The function definition of the chat completions API."""
        strict = {} if self.strict is None else {"strict": self.strict}
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters), **strict}
        return {"type": "function", "function": function}


@dataclass(frozen=True, kw_only=True)
class ModelWishes:
    """How a reply is to be made, in the words of the chat completions API, as whoever asks for it wishes.

    ``tool_choice`` says that a tool has to be called, or which one.
    """

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tool_choice: str | Mapping[str, Any] | None = None

    @property
    def is_form(self) -> bool:
        """Whether a program reads the reply, so that not a word may be added to it."""
        return "response_format" in self.options

    @property
    def is_limited(self) -> bool:
        """Whether the reply's length was limited by whoever asks."""
        return "max_completion_tokens" in self.options

    @property
    def needs_model(self) -> bool:
        """Whether nobody but a model can do it."""
        return self.is_form or self.tool_choice is not None

    def __bool__(self) -> bool:
        """Whether anything is wished for."""
        return bool(self.options) or self.tool_choice is not None


class ChatModel(Protocol):
    """One model in one role. Every method raises ``ModelError`` and nothing else of the provider's."""

    @property
    def name(self) -> str:
        """The model as the provider calls it."""
        ...

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """Answer the user: tokens leave through LangChain's callbacks, the whole message returns at the end.

        Tool calls in it have well-formed arguments. Calls that could not be read are left out and named in
        ``response_metadata["dropped_tool_calls"]``. Cancelled after words have left, it raises ``ReplyCancelled``.
        """
        ...

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """Answer as a valid ``schema``; no token of it reaches the user."""
        ...
