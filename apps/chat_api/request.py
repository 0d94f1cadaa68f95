"""What a client of OpenAI's chat API sends, and the conversation in it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brain.models.port import ModelWishes, ToolSpec
from memory.errors import BrainError, bad_request

MESSAGES, TOOLS = 5_000, 128
"""How many of each a request may bring."""

_SAMPLING = {
    "temperature", "top_p", "presence_penalty", "frequency_penalty", "seed", "stop", "parallel_tool_calls"
}  # fmt: skip
Role = Literal["system", "developer", "user", "assistant", "tool", "function"]
Content = str | list[dict[str, Any]] | None


class _Part(BaseModel):
    """What a client sends beside what is known here is ignored, as OpenAI's own API grows."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CalledFunction(_Part):
    """Which function, with its arguments as JSON text."""

    name: Annotated[str, Field(min_length=1, max_length=128)]
    arguments: str = "{}"


class CallMade(_Part):
    """A tool call of the model, sent back by the client with its result."""

    id: Annotated[str, Field(min_length=1, max_length=256)]
    function: CalledFunction


class ChatMessage(_Part):
    """One message of the conversation."""

    role: Role
    content: Content = None
    tool_calls: list[CallMade] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        """Its words; other parts of it have none."""
        if not isinstance(self.content, list):
            return self.content or ""
        return "\n".join(str(part.get("text") or "") for part in self.content if part.get("type") == "text")

    @property
    def blocks(self) -> str | list[str | dict[str, Any]]:
        """The content as a message of the graph has it."""
        if not isinstance(self.content, list):
            return self.text
        return [_plain_part(part) if part.get("type") == "text" else part for part in self.content]

    @property
    def carries_more(self) -> bool:
        """Whether there is anything in it beside words."""
        return isinstance(self.content, list) and any(part.get("type") != "text" for part in self.content)


class FunctionForm(_Part):
    """A function as the client describes it."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$")]
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})


class ToolForm(_Part):
    """A tool of the client's own; it runs there, not here."""

    type: Literal["function"]
    function: FunctionForm

    @property
    def spec(self) -> ToolSpec:
        """As a model sees it."""
        form = self.function
        return ToolSpec(name=form.name, description=form.description, parameters=form.parameters)


class StreamOptions(_Part):
    """What a stream tells beside the words."""

    include_usage: bool = False


class ChosenName(_Part):
    """Which function has to be called."""

    name: str


class ToolChosen(_Part):
    """One of the client's tools that has to be called."""

    type: Literal["function"]
    function: ChosenName


class ReplyForm(_Part):
    """The form of the reply: words, any JSON object, or JSON that fits a schema."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: dict[str, Any] | None = None

    @property
    def is_json(self) -> bool:
        """Whether a program reads the reply."""
        return self.type != "text"


class ChatRequest(_Part):
    """The body of ``/v1/chat/completions``. How the reply is to be made goes to the model as it is."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MESSAGES)]
    model: str = ""
    stream: bool = False
    stream_options: StreamOptions | None = None
    tools: Annotated[list[ToolForm], Field(max_length=TOOLS)] | None = None
    tool_choice: Literal["none", "auto", "required"] | ToolChosen | None = None
    parallel_tool_calls: bool | None = None
    response_format: ReplyForm | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    presence_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    frequency_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    seed: int | None = None
    stop: str | Annotated[list[str], Field(max_length=4)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    n: int | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The client's tools that the model may call."""
        return () if self.tool_choice == "none" else tuple(tool.spec for tool in self.tools or ())

    @property
    def wishes(self) -> ModelWishes:
        """How the model is to reply."""
        longest = self.max_completion_tokens or self.max_tokens
        told = self.model_dump(include=_SAMPLING, exclude_none=True)
        form = self.response_format if self.response_format and self.response_format.is_json else None
        chosen = self.tool_choice if self.tools and self.tool_choice not in ("none", "auto") else None
        return ModelWishes(
            options={
                **told,
                **({"max_completion_tokens": longest} if longest else {}),
                **({"response_format": form.model_dump(exclude_none=True)} if form else {}),
            },
            tool_choice=chosen.model_dump() if isinstance(chosen, ToolChosen) else chosen,
        )

    @property
    def wants_usage(self) -> bool:
        """Whether a stream ends with the tokens it cost."""
        return bool(self.stream_options and self.stream_options.include_usage)


@dataclass(frozen=True)
class SaidExchange:
    """A message of the person with the reply to it, as the client has them."""

    words: str
    reply: str


@dataclass(frozen=True)
class ClientTranscript:
    """A resent conversation: what the client's own system prompt says, what was said before, and what is new."""

    system: str
    history: tuple[SaidExchange, ...]
    newest: ChatMessage
    tool_messages: tuple[ChatMessage, ...]

    @cached_property
    def said_sha256(self) -> str:
        """Names the newest message with the one before it."""
        return hash_said([*(each.words for each in self.history), self.newest.text])

    @property
    def is_answering_tools(self) -> bool:
        """Whether the client brings results of its tools instead of a new message."""
        return bool(self.tool_messages)


def hash_said(words: Sequence[str]) -> str:
    """Names a message by its words and those before it: a client may shorten a conversation's beginning."""
    return _hash([plain(each) for each in words[-2:]])


def hash_exchange(words: str, reply: str) -> str:
    """Names a message with its reply."""
    return _hash([plain(words), plain(reply)])


def parse_request(body: bytes) -> ChatRequest:
    """The request. Raises ``E_BAD_REQUEST`` that names the field and never repeats what it held."""
    try:
        asked = ChatRequest.model_validate_json(body)
    except ValidationError as error:
        raise _complaint(error) from None
    if asked.n not in (None, 1):
        raise bad_request("n must be 1.", "Ask again for another answer.")
    _check_form(asked)
    return asked


def _check_form(asked: ChatRequest) -> None:
    form, chosen = asked.response_format, asked.tool_choice
    if form and form.type == "json_schema" and not (form.json_schema and form.json_schema.get("name")):
        raise bad_request("response_format.json_schema needs a name and a schema.")
    names = {tool.function.name for tool in asked.tools or ()}
    if isinstance(chosen, ToolChosen) and chosen.function.name not in names:
        raise bad_request("tool_choice names a tool that is not offered.")
    if chosen == "required" and not names:
        raise bad_request("tool_choice is required, and there are no tools.")


def transcript_of(messages: Sequence[ChatMessage]) -> ClientTranscript:
    """The conversation in a request. Raises ``E_BAD_REQUEST`` for one that awaits no answer."""
    spoken = [each for each in messages if each.role not in ("system", "developer")]
    places = [place for place, each in enumerate(spoken) if each.role == "user"]
    if not places:
        raise bad_request("There is no message of the user.", "Send one with role user.")
    newest, after = spoken[places[-1]], tuple(spoken[places[-1] + 1 :])
    if after and after[-1].role != "tool":
        raise bad_request("The last message must be of the user or of a tool.")
    _check_tool_messages(after)
    system = "\n\n".join(each.text for each in messages if each.role in ("system", "developer") and each.text)
    return ClientTranscript(system, tuple(_exchanges(spoken[: places[-1]])), newest, after)


def _exchanges(messages: Sequence[ChatMessage]) -> list[SaidExchange]:
    """Each message of the user with the last words that answered it."""
    found = list[SaidExchange]()
    for message in messages:
        if message.role == "user":
            found.append(SaidExchange(message.text, ""))
        elif message.role == "assistant" and message.text and found:
            found[-1] = SaidExchange(found[-1].words, message.text)
    return found


def _check_tool_messages(messages: Sequence[ChatMessage]) -> None:
    """A result needs its call, and a call its result: providers refuse anything else."""
    called = [call.id for message in messages for call in message.tool_calls or ()]
    answered = [message.tool_call_id for message in messages if message.role == "tool"]
    if sorted(called) != sorted(str(each) for each in answered):
        raise bad_request("The results of tools do not fit the calls before them.", "Send one result for each call.")


def _plain_part(part: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": str(part.get("text") or "")}


def plain(text: str) -> str:
    """Words by which they are compared: clients trim and rewrap."""
    return " ".join(text.split())


def _hash(texts: Sequence[str]) -> str:
    return sha256(json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def _complaint(error: ValidationError) -> BrainError:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:200]
    return bad_request(f"{where}: {first['msg']}" if where else "The body is not JSON that fits this API.")
