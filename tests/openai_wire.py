"""The chat completions and embeddings wire format, as OpenAI documents it: bodies and server-sent events for tests."""

import base64
import hashlib
import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

CREATED = 1_700_000_000
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call. ``arguments`` is the text that the model wrote, which need not be JSON."""

    name: str
    arguments: str
    id: str | None = "call_1"


@dataclass(frozen=True, kw_only=True)
class Said:
    """One answer of a model, before it is put on the wire."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str | None = None
    finish_reason: str = ""
    model: str = "gpt-4.1"
    usage: Json = field(default_factory=lambda: {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12})

    @property
    def ending(self) -> str:
        """Why the model stopped, unless the test says otherwise."""
        return self.finish_reason or ("tool_calls" if self.calls else "stop")


def completion(said: Said) -> Json:
    """The body of an answer that is not streamed."""
    message: Json = {"role": "assistant", "content": said.text or None, "refusal": said.refusal}
    if said.calls:
        message["tool_calls"] = [_whole_call(call) for call in said.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": said.ending}
    return {**_envelope(said, "chat.completion"), "choices": [choice], "usage": said.usage}


def chunks(said: Said) -> Iterator[Json]:
    """The answer as stream chunks: role, words, refusal, calls piece by piece, ending, then usage without choices."""
    yield _chunk(said, {"role": "assistant", "content": "", "refusal": None})
    for word in words(said.text):
        yield _chunk(said, {"content": word})
    for word in words(said.refusal or ""):
        yield _chunk(said, {"refusal": word})
    for index, call in enumerate(said.calls):
        yield from _call_chunks(said, index, call)
    yield _chunk(said, {}, said.ending)
    yield {**_envelope(said, "chat.completion.chunk"), "choices": [], "usage": said.usage}


def words(text: str) -> list[str]:
    """Pieces of a text as a model streams them; joined, they are the text again."""
    return [text[start : start + 5] for start in range(0, len(text), 5)]


def event(chunk: Json) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def sse(parts: Iterable[Json]) -> bytes:
    """A whole event stream with its end mark."""
    return b"".join(map(event, parts)) + DONE


def error(message: str, kind: str = "server_error", code: str | None = None) -> Json:
    """The body of a failed request."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def embeddings(texts: Sequence[str], dimensions: int, encoding: str, model: str = "text-embedding-3-small") -> Json:
    """The body of an embeddings answer, in the encoding that was asked for."""
    vectors = [vector(text, dimensions) for text in texts]
    data = [
        {"object": "embedding", "index": index, "embedding": _packed(numbers) if encoding == "base64" else numbers}
        for index, numbers in enumerate(vectors)
    ]
    return {"object": "list", "data": data, "model": model, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def vector(text: str, dimensions: int) -> list[float]:
    """A unit vector made of the text's character pairs, so that texts which share words lie close together."""
    counts = [0.0] * dimensions
    folded = f" {text.casefold()} "
    for start in range(len(folded) - 1):
        digest = hashlib.sha256(folded[start : start + 2].encode("utf-8", "replace")).digest()
        counts[int.from_bytes(digest[:4], "big") % dimensions] += 1.0
    length = sum(count * count for count in counts) ** 0.5
    return [count / length for count in counts]


def _envelope(said: Said, kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": CREATED, "model": said.model, "system_fingerprint": "fp_1"}


def _chunk(said: Said, delta: Json, ending: str | None = None) -> Json:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ending}
    return {**_envelope(said, "chat.completion.chunk"), "choices": [choice], "usage": None}


def _call_chunks(said: Said, index: int, call: Call) -> Iterator[Json]:
    opening = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    yield _chunk(said, {"tool_calls": [opening]})
    for piece in words(call.arguments):
        yield _chunk(said, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})


def _whole_call(call: Call) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _packed(numbers: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
