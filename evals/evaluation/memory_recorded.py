"""A model that plays back recorded answers over the wire, so that they are parsed and checked like live ones."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2  # the client that the OpenAI library is made with
from pydantic import BaseModel, ConfigDict, ValidationError

from brain.models.roles import Models
from evals.evaluation.recorded_wire import NAME, recorded_model
from memory.errors import bad_request

_NOTHING = '{"memories": []}'
"""What a model writes that has nothing to add: the answer to every request that was not foreseen."""
_LABELLED = re.compile(r"^\[(?P<label>[ks]\d+)\] (?P<text>.*)$", re.MULTILINE)
_MEANT = re.compile(r"«(?P<words>[^»]*)»")
_FORMS = frozenset({"Notes", "Rewordings"})
_SHOWN = re.compile(r'"title":"(?P<form>\w+)","type":"object"\}\s*\Z')
"""Ends the schema of a form that stands in the instructions, where the provider is not held to it."""


class Answer(BaseModel):
    """What the model wrote for a form in one session: a filled form, or the very text where that is none.

    A label depends on the order in the prompt, so «words» stand for the label of the first known memory, or statement,
    that has these words, and for nothing when there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    conversation: str
    session: str
    form: str
    answer: dict[str, Any] | str

    @property
    def text(self) -> str:
        """As it goes over the wire."""
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer, ensure_ascii=False)


@dataclass(frozen=True)
class Recording:
    """All answers of a file, by conversation, session and form, in the order in which they are given."""

    answers: Mapping[tuple[str, str, str], Sequence[Answer]]

    @property
    def conversations(self) -> frozenset[str]:
        """Those that can be replayed."""
        return frozenset(conversation for conversation, _, _ in self.answers)


@dataclass(frozen=True)
class Exchange:
    """A request for a form, where in which conversation it came, and the answer that was recorded."""

    conversation: str
    session: str
    form: str
    request: Mapping[str, Any]
    answer: str


Manner = Callable[[Exchange], httpx2.Response]
"""How a model gives its answers over the wire."""


def honest(exchange: Exchange) -> httpx2.Response:
    """The answer as it was recorded."""
    return completed(exchange.answer)


@dataclass
class RecordedModel:
    """Plays the recording back; the replay says which session it is in. ``asked`` counts the requests."""

    recording: Recording
    manner: Manner = honest
    conversation: str = ""
    session: str = ""
    given: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    asked: Counter[str] = field(default_factory=Counter[str])

    def turn_to(self, conversation: str, session: str) -> None:
        """The next requests are about this session."""
        self.conversation, self.session = conversation, session

    def models(self) -> Models:
        """The adapter of life around this wire, as the fast model."""
        fast, close = recorded_model(self._respond, "chat")
        return Models(fast=fast, close=close)

    def _respond(self, request: httpx2.Request) -> httpx2.Response:
        body: dict[str, Any] = json.loads(request.content)
        instructions, *others = [str(each["content"]) for each in body["messages"]]
        form = _form_of(body, instructions)
        self.asked[form] += 1
        if form not in _FORMS:
            return httpx2.Response(400, json={"error": {"message": f"No {form or 'talk'} was recorded."}})
        answer = _fill_labels(self._next(form), "\n".join((instructions, *others)))
        return self.manner(Exchange(self.conversation, self.session, form, body, answer))

    def _next(self, form: str) -> str:
        at = (self.conversation, self.session, form)
        recorded, given = self.recording.answers.get(at, ()), self.given[at]
        self.given[at] += 1
        return recorded[given].text if given < len(recorded) else _NOTHING


def read_recording(path: Path) -> Recording:
    """A file of answers. Raises ``E_BAD_REQUEST`` for a line that is none, or a file that cannot be read."""
    answers: dict[tuple[str, str, str], list[Answer]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise bad_request(f"{path} cannot be read: {error.strerror}.", "Check the path.") from None
    for number, line in enumerate(lines, start=1):
        try:
            answer = Answer.model_validate_json(line)
        except ValidationError:
            raise bad_request(f"{path}:{number} is no recorded answer.", "See README.md.") from None
        answers.setdefault((answer.conversation, answer.session, answer.form), []).append(answer)
    return Recording(answers)


def completed(text: str, *, refusal: str | None = None, ending: str = "stop") -> httpx2.Response:
    """An answer in the wire's own wrapping."""
    message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
    answer = {
        "id": "recorded",
        "object": "chat.completion",
        "created": 0,
        "model": NAME,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": ending}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }
    return httpx2.Response(200, json=answer)


def _form_of(body: Mapping[str, Any], prompt: str) -> str:
    """Whether it is enforced, a tool's arguments, or only shown."""
    enforced = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    called = body.get("tool_choice", {}).get("function", {}).get("name", "")
    shown = _SHOWN.search(prompt)
    return enforced or called or (shown["form"] if shown else "")


def _fill_labels(answer: str, prompt: str) -> str:
    labelled = [(found["label"], found["text"]) for found in _LABELLED.finditer(prompt)]

    def label(meant: re.Match[str]) -> str:
        return next((label for label, text in labelled if meant["words"] in text), "")

    return _MEANT.sub(label, answer)
