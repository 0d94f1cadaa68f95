"""Answers in the format of OpenAI's chat API: whole, or in pieces as server-sent events."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any, Literal
from uuid import uuid4

from langchain_core.messages import ToolCall

from apps.http.errors import HttpRefusal, openai_error_body

MODEL = "brain"
"""The one model that this API offers: Brain with whatever model answers behind it."""
DONE = b"data: [DONE]\n\n"
KEEP_ALIVE = b": still here\n\n"

FinishReason = Literal["stop", "length", "tool_calls"]


@dataclass(frozen=True, kw_only=True)
class ChatReply:
    """How a turn ended. Tokens are those of all model calls of the turn."""

    text: str
    finish_reason: FinishReason = "stop"
    tool_calls: Sequence[ToolCall] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def usage(self) -> dict[str, int]:
        """As OpenAI tells it."""
        return {
            "prompt_tokens": self.input_tokens,
            "completion_tokens": self.output_tokens,
            "total_tokens": self.input_tokens + self.output_tokens,
        }


@dataclass(frozen=True)
class ReplyFormat:
    """The parts that all pieces of one answer share."""

    answer_id: str = field(default_factory=lambda: f"chatcmpl-{uuid4().hex}")
    created: int = field(default_factory=lambda: int(time()))
    with_usage: bool = False
    form_field: str = "response_format"

    def whole(self, reply: ChatReply) -> dict[str, Any]:
        """The answer as one JSON object; ``brain`` tells what other clients ignore."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": None}
        if reply.tool_calls:
            message["tool_calls"] = [_call(each) for each in reply.tool_calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
        head = self._head("chat.completion")
        return {**head, "choices": [choice], "usage": reply.usage, "brain": dict(reply.details)}

    def first(self) -> bytes:
        """The event with which an answer begins."""
        return self._event({"role": "assistant", "content": ""})

    def piece(self, words: str) -> bytes:
        """The next words."""
        return self._event({"content": words})

    def last(self, reply: ChatReply) -> bytes:
        """What comes after the words: tool calls, why it ended, what it cost if that is wanted."""
        calls = [{"index": place, **_call(each)} for place, each in enumerate(reply.tool_calls)]
        events = [self._event({"tool_calls": calls})] if calls else []
        events.append(self._event({}, reply.finish_reason, brain=dict(reply.details)))
        if self.with_usage:
            events.append(_event({**self._head("chat.completion.chunk"), "choices": [], "usage": reply.usage}))
        return b"".join([*events, DONE])

    def failed(self, refusal: HttpRefusal) -> bytes:
        """A failure after words have been sent; OpenAI's clients raise it."""
        return _event(openai_error_body(refusal))

    def _event(self, delta: Mapping[str, Any], finish: FinishReason | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": dict(delta), "logprobs": None, "finish_reason": finish}
        usage = {"usage": None} if self.with_usage else {}
        return _event({**self._head("chat.completion.chunk"), "choices": [choice], **usage, **more})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.answer_id, "object": kind, "created": self.created, "model": MODEL}


def _call(call: ToolCall) -> dict[str, Any]:
    arguments = json.dumps(call["args"], ensure_ascii=False)
    return {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def _event(data: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace")
