"""Answers in the format of OpenAI's responses API: whole, or as its events."""

import json
from collections.abc import Mapping
from time import time
from typing import Any
from uuid import UUID, uuid4

from langchain_core.messages import ToolCall

from apps.chat_api.reply import MODEL, ChatReply
from apps.chat_api.response_request import RESPONSE, ResponseRequest
from apps.http.errors import HttpRefusal

Json = dict[str, Any]


class ResponseFormat:
    """The pieces of one response: events are numbered, and each end of a part repeats the whole of it."""

    form_field = "text.format"

    def __init__(self, asked: ResponseRequest, exchange_id: UUID) -> None:
        self._asked = asked
        self._id = f"{RESPONSE}{exchange_id.hex}"
        self._message_id = f"msg_{uuid4().hex}"
        self._created = int(time())
        self._events = 0
        self._words = list[str]()

    def whole(self, reply: ChatReply) -> Json:
        """The response; ``brain`` tells what other clients ignore."""
        status = "incomplete" if reply.finish_reason == "length" else "completed"
        why = {"reason": "max_output_tokens"} if status == "incomplete" else None
        items = [self._message(reply.text, status)] if reply.text or not reply.tool_calls else []
        calls = [_call(each, self._call_id(each)) for each in reply.tool_calls]
        ended = {"incomplete_details": why, "output": [*items, *calls], "usage": _usage(reply)}
        return {**self._head(status), **ended, "brain": dict(reply.details)}

    def first(self) -> bytes:
        """Events with which a response begins."""
        head = self._head("in_progress")
        return self._event("response.created", response=head) + self._event("response.in_progress", response=head)

    def piece(self, words: str) -> bytes:
        """The next words."""
        opening = b"" if self._words else self._open_message()
        self._words.append(words)
        return opening + self._event("response.output_text.delta", **self._place, delta=words, logprobs=[])

    def last(self, reply: ChatReply) -> bytes:
        """What comes after the words: their end, the calls, and the whole response."""
        whole = self.whole(reply)
        events = [self._close_message(whole["output"][0])] if self._words else []
        if not self._words and whole["output"][0]["type"] == "message":
            events = [self._open_message(), self._close_message(whole["output"][0])]
        for place, item in enumerate(whole["output"]):
            if item["type"] == "function_call":
                events.append(self._call_events(place, item))
        return b"".join([*events, self._event(f"response.{whole['status']}", response=whole)])

    def failed(self, refusal: HttpRefusal) -> bytes:
        """A failure after words have been sent."""
        error = {"code": refusal.code, "message": refusal.message}
        return self._event("response.failed", response={**self._head("failed"), "error": error})

    @property
    def _place(self) -> Json:
        return {"item_id": self._message_id, "output_index": 0, "content_index": 0}

    def _open_message(self) -> bytes:
        item: Json = {**self._message("", "in_progress"), "content": []}
        added = self._event("response.output_item.added", output_index=0, item=item)
        return added + self._event("response.content_part.added", **self._place, part=_text_part(""))

    def _close_message(self, item: Json) -> bytes:
        text = item["content"][0]["text"]
        return (
            self._event("response.output_text.done", **self._place, text=text, logprobs=[])
            + self._event("response.content_part.done", **self._place, part=_text_part(text))
            + self._event("response.output_item.done", output_index=0, item=item)
        )

    def _call_events(self, place: int, item: Json) -> bytes:
        where, told = {"item_id": item["id"], "output_index": place}, item["arguments"]
        begun = {**item, "arguments": "", "status": "in_progress"}
        return (
            self._event("response.output_item.added", output_index=place, item=begun)
            + self._event("response.function_call_arguments.delta", **where, delta=told)
            + self._event("response.function_call_arguments.done", **where, name=item["name"], arguments=told)
            + self._event("response.output_item.done", output_index=place, item=item)
        )

    def _message(self, text: str, status: str) -> Json:
        named = {"id": self._message_id, "type": "message", "status": status, "role": "assistant"}
        return {**named, "content": [_text_part(text)]}

    def _call_id(self, call: ToolCall) -> str:
        return f"fc_{self._id.removeprefix(RESPONSE)}_{call['id']}"

    def _head(self, status: str) -> Json:
        """What a response says of its request."""
        asked = self._asked
        told = asked.model_dump(by_alias=True, exclude={"input", "model", "stream", "stream_options"})
        named = {"id": self._id, "object": "response", "created_at": self._created, "status": status, "model": MODEL}
        assumed: Json = {
            "tools": told["tools"] or [],
            "tool_choice": told["tool_choice"] or "auto",
            "parallel_tool_calls": asked.parallel_tool_calls is not False,
            "text": {"format": {"type": "text"}, **_known(told["text"])},
            "metadata": told["metadata"] or {},
            "truncation": "auto",
            "store": True,
        }
        return {**told, **named, **assumed, "error": None, "incomplete_details": None, "output": [], "usage": None}

    def _event(self, kind: str, **fields: Any) -> bytes:
        data = {"type": kind, "sequence_number": self._events, **fields}
        self._events += 1
        return f"event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


def _known(told: Mapping[str, Any] | None) -> Json:
    return {name: value for name, value in (told or {}).items() if value is not None}


def _text_part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call(call: ToolCall, item_id: str) -> Json:
    arguments = json.dumps(call["args"], ensure_ascii=False)
    named = {"type": "function_call", "id": item_id, "call_id": call["id"], "name": call["name"]}
    return {**named, "arguments": arguments, "status": "completed"}


def _usage(reply: ChatReply) -> Json:
    """Cached and thought tokens are told by no model here."""
    return {
        "input_tokens": reply.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": reply.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }
