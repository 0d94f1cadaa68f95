"""Replies of a chat model as they were once written down, streamed again as a provider streams them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2  # the client that the OpenAI library is made with
from pydantic import BaseModel, ConfigDict, ValidationError

from brain.models.roles import Models
from evals.evaluation.recorded_wire import NAME, recorded_model
from memory.errors import bad_request

_PIECE = 12
"""Characters of a streamed piece."""


class RecordedReply(BaseModel):
    """What the model said in one turn (counted from 0) of a conversation under a variant of the system prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: str
    conversation: str
    turn: int
    reply: str


@dataclass
class RecordedReplies:
    """Plays the recording back; the replay says which turn it is at. What was not recorded is an error 400."""

    replies: Mapping[tuple[str, str, int], str]
    at: tuple[str, str, int] = ("", "", 0)
    asked: list[str] = field(default_factory=list[str])
    """The system prompt of every request."""

    def turn_to(self, variant: str, conversation: str, turn: int) -> None:
        """The next request is about this turn."""
        self.at = (variant, conversation, turn)

    def models(self) -> Models:
        """A chat model over the recording; rules do the work of the fast one."""
        chat, close = recorded_model(self._respond, "chat")
        return Models(chat=chat, close=close)

    def _respond(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content)["messages"][0]["content"])
        reply = self.replies.get(self.at)
        if reply is None:
            return httpx2.Response(400, json={"error": {"message": f"No reply was recorded for {self.at}."}})
        stream = "".join(f"data: {each}\n\n" for each in (*_chunks(reply), "[DONE]"))
        return httpx2.Response(200, text=stream, headers={"Content-Type": "text/event-stream"})


def read_replies(path: Path) -> RecordedReplies:
    """A file of replies, one JSON object per line. Raises ``E_BAD_REQUEST`` for a line that is none."""
    replies: dict[tuple[str, str, int], str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            each = RecordedReply.model_validate_json(line)
        except ValidationError:
            raise bad_request(f"{path}:{number} is no recorded reply.", "See README.md.") from None
        replies[each.variant, each.conversation, each.turn] = each.reply
    return RecordedReplies(replies)


def write_replies(path: Path, replies: Sequence[RecordedReply]) -> None:
    """Keep what a model said, so that it can be played back without one."""
    path.write_text("".join(f"{json.dumps(each.model_dump(), ensure_ascii=False)}\n" for each in replies), "utf-8")


def _chunks(reply: str) -> Iterator[str]:
    """The answer as stream chunks, without usage: tokens are counted from the words of each prompt itself."""
    pieces = [reply[start : start + _PIECE] for start in range(0, len(reply), _PIECE)]
    for piece in pieces:
        yield _chunk({"role": "assistant", "content": piece}, None)
    yield _chunk({}, "stop")


def _chunk(delta: Mapping[str, str], ending: str | None) -> str:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ending}
    return json.dumps(
        {"id": NAME, "object": "chat.completion.chunk", "created": 0, "model": NAME, "choices": [choice]},
        ensure_ascii=False,
    )
