"""How a model is held to a form: by the best way that its address can do, found once and kept for a while."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from pydantic import BaseModel

from brain.models.structured_output import response_format
from prompts.registry import load_prompt

Way = Literal["json_schema", "tool_call", "json_object", "plain"]


@dataclass(frozen=True)
class Rung:
    """One way of asking for a form. ``calm`` bounds the answer and takes chance out of it, which some models refuse."""

    way: Way
    calm: bool = True


RUNGS = (
    Rung("json_schema"),
    Rung("json_schema", calm=False),
    Rung("tool_call"),
    Rung("json_object"),
    Rung("plain"),
    Rung("plain", calm=False),
)
"""From the strictest on: a schema that the provider enforces, a tool's arguments, JSON of any form, words alone."""
FIRST_RUNG_WITH_SCHEMA = 3
"""Place of the first rung that shows the schema to the model."""
TRIED_ANEW = 3_600.0
"""Seconds after which a better rung is tried again: a server may have been upgraded."""
MAX_ANSWER_TOKENS = 4_096
"""Tokens of a calm answer."""


@dataclass
class KeptRung:
    """The place of the rung that worked last for one model at one address, counted from the best."""

    lowest: int = 0
    until: float = 0.0

    @property
    def first(self) -> int:
        """The place of the rung to begin with."""
        return self.lowest if monotonic() < self.until else 0

    def keep(self, place: int) -> None:
        """This one is where to begin from now on."""
        self.lowest, self.until = place, monotonic() + TRIED_ANEW


def request_options(rung: Rung, schema: type[BaseModel]) -> Mapping[str, Any]:
    """What a request for a form says beside its messages."""
    calm = {"temperature": 0.0, "max_completion_tokens": MAX_ANSWER_TOKENS} if rung.calm else {}
    match rung.way:
        case "json_schema":
            return {"response_format": response_format(schema), **calm}
        case "tool_call":
            named = {"name": schema.__name__, "parameters": schema.model_json_schema()}
            chosen = {"type": "function", "function": {"name": schema.__name__}}
            return {"tools": [{"type": "function", "function": named}], "tool_choice": chosen, **calm}
        case "json_object":
            return {"response_format": {"type": "json_object"}, **calm}
        case "plain":
            return calm


def form_text(answer: AIMessage) -> str:
    """Where a filled form stands in an answer: in the arguments of a tool call, else in its words."""
    if answer.tool_calls:
        return json.dumps(answer.tool_calls[0]["args"], ensure_ascii=False)
    if answer.invalid_tool_calls:
        return answer.invalid_tool_calls[0]["args"] or ""
    return answer.text


def ignores_schema(misfit: str) -> bool:
    """Whether an answer that does not fit is whole: nothing held the model to the schema. A broken one says nothing."""
    text = misfit.strip()
    return bool(text) and ("{" not in text or text.endswith(("}", "]", "```")))


def show_schema(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> list[BaseMessage]:
    """The request with the schema in its instructions, for a model that nothing else holds to it."""
    shown = json.dumps(schema.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    asked = load_prompt("answer_as_json").render(schema=shown)
    first, *others = messages
    if isinstance(first, SystemMessage):
        return [SystemMessage(f"{first.text}\n\n{asked}"), *others]
    return [SystemMessage(asked), *messages]
