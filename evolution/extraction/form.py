"""The form in which a model notes memories down: few fields, words instead of numbers, nothing that code can tell."""

from typing import Literal

from pydantic import BaseModel, Field

NotedType = Literal["fact", "preference", "constraint", "plan", "relation", "pattern"]
Certainty = Literal["plain", "shown", "unsure"]
Dismissal = Literal["joke", "imagined", "others_words", "passing", "instruction", "not_stated"]


class NotedMemory(BaseModel):
    """One assertion as a model notes it down; what has a default may be left out. The prompt says what fields hold.

    ``turn`` is the number of the turn that ``quote`` is copied from, ``related_memory`` the label of a known memory.
    """

    quote: str
    turn: int
    type: NotedType = "fact"
    subject: str
    predicate: str
    object: str
    content: str
    negated: bool = False
    certainty: Certainty = "plain"
    valid_at: str = ""
    replaces: str = ""
    related_memory: str = ""


class DismissedStatement(BaseModel):
    """A statement that code has read and that is none, by its label (``s2``)."""

    statement: str
    reason: Dismissal


class Notes(BaseModel):
    """What a stretch of conversation leaves to remember; often nothing."""

    memories: list[NotedMemory]
    dismissed: list[DismissedStatement] = Field(default_factory=list[DismissedStatement])
