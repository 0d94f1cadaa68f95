"""Conversations of real life and what should be left of them. The format is in README.md."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

Values = Sequence[Sequence[str]]
"""Alternatives, each a list of strings that must all stand in a text."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Turn(_Record):
    """One message of the ``user`` or the ``assistant``."""

    turn: str
    speaker: str
    text: str


class Session(_Record):
    """Turns that belong together; ``at`` is in the conversation's zone."""

    session: str
    at: datetime
    turns: list[Turn]


class Remember(_Record):
    """What should be remembered, from its turn on; over from ``ended_by`` on."""

    id: str
    turn: str
    quote: str
    values: list[list[str]]
    plain: bool = True
    ended_by: str | None = None
    how: str | None = None


class Never(_Record):
    """What must not become a memory."""

    turn: str
    quote: str
    why: str = ""


class Question(_Record):
    """What is asked later: any of ``needs`` answers it, none of ``not`` is true any more."""

    question: str
    asked_at: datetime
    needs: list[list[str]]
    wrong: list[str] = Field(default_factory=list[str], alias="not")
    about: list[str] = Field(default_factory=list[str])


class Conversation(_Record):
    """One person's sessions, and what should be left of them."""

    conversation: str
    language: str
    zone: str = "UTC"
    sessions: list[Session]
    remember: list[Remember]
    never: list[Never] = Field(default_factory=list[Never])
    questions: list[Question] = Field(default_factory=list[Question])


def read_conversations(paths: Iterable[Path]) -> list[Conversation]:
    """All conversations. Raises ``ValueError`` for a line that is none."""
    return [
        Conversation.model_validate_json(line)
        for path in paths
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def holds(text: str, values: Values) -> bool:
    """Whether any alternative stands in a text, whatever its case and spacing."""
    folded = plain(text)
    return any(all(plain(part) in folded for part in each) for each in values)


def plain(text: str) -> str:
    """Letters and digits alone, in lower case."""
    return "".join(char for char in text.casefold() if char.isalnum())
