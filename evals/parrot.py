"""A model that hands memories back to the user: the worst case for a memory that listens to itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.models.errors import ModelUnavailable
from brain.models.port import ToolSpec

RECITED = 3
"""Memories that one reply repeats."""
_OWN = "you (assistant)"
_MEMORY = re.compile(r"<(?P<tag>(?:said|belief)_[0-9a-f]{6}) (?P<about>[^>]*)>\n(?P<text>.*?)\n</(?P=tag)>", re.DOTALL)
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Parrot:
    """A model that tells the user what it was told of them; forms it leaves to the rules."""

    told: list[str] = field(default_factory=list[str])
    name: str = "parrot"

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """A few memories of the prompt, word for word; its own words among them it passes over."""
        found = _MEMORY.finditer("\n".join(message.text for message in messages))
        texts = (each["text"] for each in found if _OWN not in each["about"])
        self.told[:] = list(dict.fromkeys(texts))[:RECITED]
        return AIMessage(" ".join(["I remember:", *self.told]) if self.told else "I see.")

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """Never."""
        raise ModelUnavailable("model_bad_request")
