"""What a scripted model provider does, request by request. A script is a list of steps, in Python or in JSON."""

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tests.openai_wire import Call, Json, Said

_SHOWN = re.compile(r'"title":"(?P<form>\w+)","type":"object"\}\s*\Z')
"""Ends the schema of a form that stands in the instructions."""


class When(BaseModel):
    """Which requests a step answers; every condition that is given must hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    endpoint: Literal["chat", "embeddings"] = "chat"
    form: str | None = None
    """The name of the structured-output schema; an empty text means a request without one."""
    contains: str | None = None
    """Words anywhere in the newest message."""
    model: str | None = None

    def holds(self, request: "Request") -> bool:
        """Whether this request is meant."""
        wanted = ((self.form, request.form), (self.model, request.model))
        return (
            self.endpoint == request.endpoint
            and all(asked is None or asked == found for asked, found in wanted)
            and (self.contains is None or self.contains in request.newest)
        )


class Step(BaseModel):
    """One behaviour. Without a status, a hang or a cut it is an ordinary answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: When = When()
    times: int | None = 1
    """How many requests it answers; ``None`` means all."""
    text: str = ""
    form: Json | None = None
    """A structured answer; takes the place of ``text``."""
    tool_calls: tuple[Call, ...] = ()
    refusal: str | None = None
    finish_reason: str = ""
    status: int = 200
    headers: dict[str, str] = {}
    raw: str | None = None
    """A body sent as it is, JSON or not."""
    hang: bool = False
    """Accept the request and say nothing until the server closes."""
    held: bool = False
    """Say nothing until the test lets go."""
    delay: float = 0.0
    """Seconds before the first byte."""
    cut_after: int | None = None
    """Break the connection after so many pieces of a streamed answer, or bytes of another one."""
    stall_after: int | None = None
    """Say nothing more after so many pieces of a streamed answer, until the server closes."""

    @property
    def said(self) -> Said:
        """The model's words."""
        text = self.text if self.form is None else json.dumps(self.form, ensure_ascii=False)
        return Said(text=text, calls=self.tool_calls, refusal=self.refusal, finish_reason=self.finish_reason)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a client asked for."""

    path: str
    body: Json
    headers: dict[str, str]

    @property
    def endpoint(self) -> str:
        """``chat`` or ``embeddings``; any other path as it is."""
        return {"/v1/chat/completions": "chat", "/v1/embeddings": "embeddings"}.get(self.path, self.path)

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return str(self.body.get("model", ""))

    @property
    def streamed(self) -> bool:
        """Whether server-sent events are wanted."""
        return bool(self.body.get("stream"))

    @property
    def form(self) -> str:
        """The name of the form that is to be filled, whether it is enforced or only shown; or an empty text."""
        wanted: Json = self.body.get("response_format") or {}
        named: Json = wanted.get("json_schema") or {}
        shown = _SHOWN.search(str(self.messages[0].get("content"))) if self.messages else None
        chosen: Json | str = self.body.get("tool_choice") or ""
        called = chosen["function"]["name"] if isinstance(chosen, dict) and not self.streamed else ""
        return str(named.get("name") or called or (shown["form"] if shown else ""))

    @property
    def tools(self) -> list[str]:
        """The names of the tools on offer."""
        return [str(tool["function"]["name"]) for tool in self.body.get("tools") or ()]

    @property
    def messages(self) -> list[Json]:
        """The conversation as it was sent."""
        return cast("list[Json]", self.body.get("messages") or [])

    @property
    def newest(self) -> str:
        """The text of the newest message, or of what is to be embedded."""
        return str(self.messages[-1].get("content")) if self.messages else str(self.body.get("input", ""))


class Script:
    """Hands out steps in their order, each as often as it may be used, to requests from several threads."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = list(steps)
        self._used = [0] * len(self._steps)
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._unscripted: list[Request] = []

    @property
    def requests(self) -> list[Request]:
        """Everything that was asked, in order."""
        with self._lock:
            return list(self._requests)

    @property
    def unscripted(self) -> list[Request]:
        """What was asked without a step for it; a test that cares asserts that it is empty."""
        with self._lock:
            return list(self._unscripted)

    def next(self, request: Request) -> Step | None:
        """The first step that fits and is not used up."""
        with self._lock:
            self._requests.append(request)
            for index, step in enumerate(self._steps):
                if step.when.holds(request) and (step.times is None or self._used[index] < step.times):
                    self._used[index] += 1
                    return step
            self._unscripted.append(request)
            return None


def read_script(path: Path) -> list[Step]:
    """The steps of a JSON file."""
    return TypeAdapter(list[Step]).validate_json(path.read_bytes())
