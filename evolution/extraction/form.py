"""The form in which a model notes memories down: few fields, words instead of numbers, nothing that code can tell."""

from typing import Literal

from pydantic import BaseModel, Field

NotedType = Literal["fact", "preference", "constraint", "plan", "relation", "pattern"]
Certainty = Literal["plain", "shown", "unsure"]
Dismissal = Literal["joke", "imagined", "others_words", "passing", "instruction", "not_stated"]


class NotedMemory(BaseModel):
    """One assertion as a model notes it down. What has a default may be left out."""

    turn: int = Field(description="The number of the one turn that proves it.")
    quote: str = Field(description="The proving words, copied letter for letter from that turn.")
    type: NotedType = "fact"
    subject: str = Field(description="Whom it is about: 'user' for the speaker, else a name or 'sister'.")
    predicate: str = Field(description="The relation in a word or two, such as lives_in, prefers, allergic_to.")
    object: str = Field(description="The value, in the language of the turn.")
    content: str = Field(description="One sentence in the language of the turn that can be understood alone.")
    negated: bool = Field(default=False, description="True when the statement says that this is not so.")
    certainty: Certainty = Field(
        default="plain", description="plain: said outright; shown: only shows; unsure: hedged."
    )
    valid_at: str = Field(default="", description="Since when it is true, as a date; empty for the moment of speaking.")
    replaces: str = Field(
        default="", description="The old value that this takes the place of; empty when it takes none."
    )
    related_memory: str = Field(
        default="", description="Id of the known memory that this replaces or confirms; else empty."
    )


class DismissedStatement(BaseModel):
    """A statement that code has read and that is none."""

    statement: str = Field(description="Its label, such as s2.")
    reason: Dismissal


class Notes(BaseModel):
    """What a stretch of conversation leaves to remember; often nothing."""

    memories: list[NotedMemory]
    dismissed: list[DismissedStatement] = Field(
        default_factory=list[DismissedStatement],
        description="Statements of the list that are none, each with the reason; those that are not named are kept.",
    )
