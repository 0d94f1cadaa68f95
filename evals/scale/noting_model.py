"""A model that notes something down of every turn that says anything: more than most would."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.models.errors import ModelUnavailable
from brain.models.port import ToolSpec
from evolution.extraction.form import NotedMemory, Notes
from language.detection import language_of

REPLIES = {"en": "I see. Tell me more about it, if you like.", "zh": "明白了，愿意的话再多说一点吧。"}
_TURN = re.compile(r'<turn number="(?P<number>\d+)"[^>]* who="person"[^>]*>(?P<text>.*?)</turn>', re.DOTALL)
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class NotingModel:
    """Replies at once in the user's language; of the forms it fills in that for notes only."""

    name: str = "noting"

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """The same short reply each time."""
        return AIMessage(REPLIES[language_of(messages[-1].text)])

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """One note per turn, quoted whole; rules have to do for every other form."""
        if schema is not Notes:
            raise ModelUnavailable("model_bad_request")
        found = _TURN.finditer(messages[-1].text)
        return schema.model_validate({"memories": [_note(int(each["number"]), each["text"]) for each in found]})


def _note(turn: int, text: str) -> dict[str, object]:
    words = text.strip()
    return NotedMemory(
        quote=words, turn=turn, subject="user", predicate="said", object=words, content=words
    ).model_dump()
