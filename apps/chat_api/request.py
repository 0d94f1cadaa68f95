"""What a client of OpenAI's chat API sends, and the conversation in it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from apps.chat_api.reading import FieldGroup, Unsupported, read_fields
from apps.chat_api.wishes import ReplyWishes
from memory.errors import bad_field

MESSAGES = 5_000
"""How many a request may bring."""

REFUSED: Unsupported = {
    "n": ((1,), "must be 1.", "Ask again for another answer."),
    "audio": ((), "Brain answers in text."),
    "modalities": ((["text"],), "Brain answers in text."),
    "logprobs": ((False,), "An answer may be made by several calls of the model and has no probabilities."),
    "top_logprobs": ((0,), "An answer may be made by several calls of the model and has no probabilities."),
    "store": ((False,), "Answers are not kept to be fetched; what is said is remembered either way."),
    "functions": ((), "Brain takes tools.", "Send tools."),
    "function_call": (("none", "auto"), "Brain takes tools.", "Send tool_choice."),
    "web_search_options": ((), "Brain does not search the web."),
    "moderation": ((), "Brain does not moderate."),
}
"""What OpenAI's own API takes and Brain does not, with the values that ask for nothing."""

Role = Literal["system", "developer", "user", "assistant", "tool", "function"]
Content = str | list[dict[str, Any]] | None


class _Part(BaseModel):
    """A message of a conversation. Clients send answers back with all that another server gave them: it is ignored."""

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


class StreamOptions(FieldGroup):
    """What a stream tells beside the words. Pieces are never padded with random text."""

    include_usage: bool = False
    include_obfuscation: Literal[False] | None = None


class ChatRequest(ReplyWishes):
    """The body of ``/v1/chat/completions``. How the reply is to be made goes to the model as it is."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MESSAGES)]
    model: str = ""
    stream: bool = False
    stream_options: StreamOptions | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None

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
    asked = read_fields(body, ChatRequest, REFUSED)
    asked.check_tools()
    return asked


def transcript_of(messages: Sequence[ChatMessage], field: str = "messages") -> ClientTranscript:
    """The conversation in a field of a request. Raises ``E_BAD_REQUEST`` for one that awaits no answer."""
    spoken = [each for each in messages if each.role not in ("system", "developer")]
    places = [place for place, each in enumerate(spoken) if each.role == "user"]
    if not places:
        raise bad_field(field, "There is no message of the user.", "Send one with role user.")
    newest, after = spoken[places[-1]], tuple(spoken[places[-1] + 1 :])
    if after and after[-1].role != "tool":
        raise bad_field(field, "The last message must be of the user or of a tool.")
    _check_tool_messages(after, field)
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


def _check_tool_messages(messages: Sequence[ChatMessage], field: str) -> None:
    """A result needs its call, and a call its result: providers refuse anything else."""
    called = [call.id for message in messages for call in message.tool_calls or ()]
    answered = [message.tool_call_id for message in messages if message.role == "tool"]
    if sorted(called) != sorted(str(each) for each in answered):
        told = "The results of tools do not fit the calls before them."
        raise bad_field(field, told, "Send one result for each call.")


def _plain_part(part: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": str(part.get("text") or "")}


def plain(text: str) -> str:
    """Words by which they are compared: clients trim and rewrap."""
    return " ".join(text.split())


def _hash(texts: Sequence[str]) -> str:
    return sha256(json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
