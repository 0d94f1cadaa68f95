"""How a model is held to a form: by the best way that its address can do, found once and kept for a while."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage
from pydantic import BaseModel

from brain.models.structured_output import response_format
from prompts.registry import load_prompt

RUNGS = ("json_schema", "json_object", "plain")
"""From the strictest on: a schema that the provider enforces, JSON of any form, and words alone."""
TRIED_ANEW = 3_600.0
"""Seconds after which a better rung is tried again: a server may have been upgraded."""


@dataclass
class FormRungs:
    """The rung that worked last for one model at one address."""

    lowest: int = 0
    until: float = 0.0

    @property
    def first(self) -> int:
        """The rung to begin with."""
        return self.lowest if monotonic() < self.until else 0

    def keep(self, rung: int) -> None:
        """This one was accepted."""
        self.lowest, self.until = rung, monotonic() + TRIED_ANEW


def request_options(rung: str, schema: type[BaseModel]) -> Mapping[str, Any]:
    """What a request for a form says beside its messages."""
    match rung:
        case "json_schema":
            return {"response_format": response_format(schema)}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}


def show_schema(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> list[BaseMessage]:
    """The request with the schema in its instructions, for a model that nothing else holds to it."""
    shown = json.dumps(schema.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    asked = load_prompt("answer_as_json").render(schema=shown)
    first, *others = messages
    if isinstance(first, SystemMessage):
        return [SystemMessage(f"{first.text}\n\n{asked}"), *others]
    return [SystemMessage(asked), *messages]
