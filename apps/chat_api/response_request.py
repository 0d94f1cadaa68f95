"""What a client of OpenAI's responses API sends, as the request of the chat API that means the same."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from apps.chat_api.place import PREVIOUS
from apps.chat_api.reading import FieldGroup, Unsupported, read_fields
from apps.chat_api.request import MESSAGES, ChatRequest, ClientTranscript
from apps.chat_api.wishes import TOOLS, Sampling, Word
from memory.errors import bad_field

RESPONSE = "resp_"
"""Begins the id of a response; the id of its exchange follows."""

REFUSED: Unsupported = {
    "store": ((True,), "What is said to Brain is kept for its memory.", "Leave it out."),
    "background": ((False,), "A response is made while the client waits."),
    "conversation": (
        (),
        "Brain keeps no such objects.",
        "Send previous_response_id or metadata.conversation_id.",
    ),
    "include": (([],), "Brain has nothing of that to include."),
    "truncation": (("auto", "disabled"), "Brain fits the conversation to its model by itself."),
    "top_logprobs": ((0,), "A response may be made by several calls of the model and has no probabilities."),
    "max_tool_calls": ((), "Brain has no limit on the calls of a client's own tools."),
    "prompt": ((), "Brain keeps no prompt templates.", "Send instructions."),
    "context_management": ((), "Brain fits the conversation to its model by itself."),
    "moderation": ((), "Brain does not moderate."),
    "image": ((), "Brain answers in text."),
    "access_programs": ((), "Brain has none."),
}
"""What OpenAI's own API takes and Brain does not, with the values that ask for nothing."""

_TEXTS = frozenset({"input_text", "output_text", "text"})
_IDENTIFIED = Annotated[str, Field(min_length=1, max_length=256)]
Parts = str | list[dict[str, Any]]


class _Item(BaseModel):
    """An item of a conversation. Clients send items back with all that another server gave them: it is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class MessageItem(_Item):
    """Something said."""

    role: Literal["system", "developer", "user", "assistant"]
    content: Parts

    @property
    def message(self) -> dict[str, Any]:
        """As the chat API has it."""
        return {"role": self.role, "content": _chat_content(self.content)}


class CallItem(_Item):
    """A call of a client's tool, sent back."""

    call_id: _IDENTIFIED
    name: Annotated[str, Field(min_length=1, max_length=128)]
    arguments: str

    @property
    def call(self) -> dict[str, Any]:
        """As the chat API has it."""
        return {"id": self.call_id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


class OutputItem(_Item):
    """What a client's tool gave."""

    call_id: _IDENTIFIED
    output: Parts

    @property
    def message(self) -> dict[str, Any]:
        """As the chat API has it."""
        return {"role": "tool", "tool_call_id": self.call_id, "content": _chat_content(self.output)}


class ReasoningItem(_Item):
    """What another model thought: nobody reads it here."""


def _type_of(item: Any) -> str:
    told: object = item.get("type") if isinstance(item, Mapping) else getattr(item, "type", None)  # pyright: ignore
    return told if isinstance(told, str) else "message"


Item = Annotated[
    Annotated[MessageItem, Tag("message")]
    | Annotated[CallItem, Tag("function_call")]
    | Annotated[OutputItem, Tag("function_call_output")]
    | Annotated[ReasoningItem, Tag("reasoning")],
    Discriminator(_type_of),
]


class FunctionTool(FieldGroup):
    """A tool of the client's own."""

    type: Literal["function"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$")]
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class ChosenTool(FieldGroup):
    """The one that has to be called."""

    type: Literal["function"]
    name: str


class TextFormat(FieldGroup):
    """The form of the words."""

    type: Literal["text", "json_object", "json_schema"]
    name: Annotated[str, Field(min_length=1)] | None = None
    description: str | None = None
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None
    strict: bool | None = None


class TextWishes(FieldGroup):
    """How the words are to be."""

    format: TextFormat | None = None
    verbosity: Word | None = None


class Reasoning(FieldGroup):
    """How long to think; what was thought is not summed up."""

    effort: Word | None = None


class ResponseStreamOptions(FieldGroup):
    """Pieces are never padded with random text."""

    include_obfuscation: Literal[False] | None = None


class ResponseRequest(Sampling):
    """The body of ``/v1/responses``."""

    input: str | Annotated[list[Item], Field(min_length=1, max_length=MESSAGES)]
    model: str = ""
    instructions: str | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    metadata: dict[str, Any] | None = None
    previous_response_id: str | None = None
    reasoning: Reasoning | None = None
    stream: bool = False
    stream_options: ResponseStreamOptions | None = None
    text: TextWishes | None = None
    tools: Annotated[list[FunctionTool], Field(max_length=TOOLS)] | None = None
    tool_choice: Literal["none", "auto", "required"] | ChosenTool | None = None
    user: str | None = None

    @cached_property
    def previous(self) -> UUID | None:
        """The exchange behind which this one goes. Raises ``E_BAD_REQUEST`` for an id that is not Brain's."""
        if self.previous_response_id is None:
            return None
        try:
            return UUID(hex=self.previous_response_id.removeprefix(RESPONSE))
        except ValueError:
            raise bad_field(PREVIOUS, "It is no id of a response of Brain's.") from None

    def check_new_words(self, said: ClientTranscript) -> None:
        """Raises ``E_BAD_REQUEST`` for more than the new message behind an answer that is kept here.

        Calls are the client's to keep: their results come with the conversation that they belong to.
        """
        if self.previous is not None and (said.history or said.tool_messages):
            told = "Beside previous_response_id it takes the new message alone."
            raise bad_field("input", told, "For results of tools send the whole conversation without it.")

    def as_chat(self) -> ChatRequest:
        """The same as a request of the chat API. Raises ``E_BAD_REQUEST``."""
        words = self.text or TextWishes()
        chat = ChatRequest.model_validate(
            {
                **self.model_dump(include={*Sampling.model_fields, "stream", "user", "metadata"}, exclude_none=True),
                "messages": self._messages(),
                "max_completion_tokens": self.max_output_tokens,
                "reasoning_effort": self.reasoning.effort if self.reasoning else None,
                "verbosity": words.verbosity,
                "response_format": _response_format(words.format) if words.format else None,
                "tools": [_chat_tool(each) for each in self.tools] if self.tools else None,
                "tool_choice": _chat_choice(self.tool_choice),
            }
        )
        chat.check_tools()
        return chat

    def _messages(self) -> list[dict[str, Any]]:
        told = [{"role": "system", "content": self.instructions}] if self.instructions else []
        items = [MessageItem(role="user", content=self.input)] if isinstance(self.input, str) else self.input
        return [*told, *_messages_of(items)]


def parse_response_request(body: bytes) -> ResponseRequest:
    """The request. Raises ``E_BAD_REQUEST`` that names the field and never repeats what it held."""
    return read_fields(body, ResponseRequest, REFUSED)


def _messages_of(items: Sequence[BaseModel]) -> list[dict[str, Any]]:
    """Calls that follow one another, or words, are one message of the model's."""
    found = list[dict[str, Any]]()
    for item in items:
        match item:
            case MessageItem() | OutputItem():
                found.append(item.message)
            case CallItem():
                if not (found and found[-1]["role"] == "assistant"):
                    found.append({"role": "assistant", "content": None})
                found[-1].setdefault("tool_calls", []).append(item.call)
            case _:
                pass
    if not found:
        raise bad_field("input", "There is no message of the user.")
    return found


def _chat_content(parts: Parts) -> Parts:
    return parts if isinstance(parts, str) else [_chat_part(part) for part in parts]


def _chat_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Text as text; anything else under the name that the chat API has for it."""
    match part.get("type"):
        case kind if kind in _TEXTS:
            return {"type": "text", "text": part.get("text")}
        case "refusal":
            return {"type": "text", "text": part.get("refusal")}
        case "input_image":
            return {"type": "image_url", "image_url": {"url": part.get("image_url"), "detail": part.get("detail")}}
        case "input_file":
            return {"type": "file", "file": {key: value for key, value in part.items() if key != "type"}}
        case _:
            return dict(part)


def _response_format(form: TextFormat) -> dict[str, Any]:
    if form.type != "json_schema":
        return {"type": form.type}
    if not form.name or form.schema_ is None:
        raise bad_field("text.format", "It needs a name and a schema.")
    told = {"name": form.name, "schema": form.schema_, "strict": form.strict, "description": form.description}
    return {"type": form.type, "json_schema": {key: value for key, value in told.items() if value is not None}}


def _chat_tool(tool: FunctionTool) -> dict[str, Any]:
    return {"type": "function", "function": tool.model_dump(exclude={"type"}, exclude_none=True)}


def _chat_choice(choice: str | ChosenTool | None) -> str | dict[str, Any] | None:
    return {"type": "function", "function": {"name": choice.name}} if isinstance(choice, ChosenTool) else choice
