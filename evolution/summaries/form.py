"""The form in which a model sums up a stretch of conversation."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from evolution.summaries.digest import NoteKind


class SummaryPoint(BaseModel):
    """One line of the summary."""

    turns: Annotated[list[int], Field(description="The numbers of the turns that say it, all of one speaker.")]
    text: Annotated[str, Field(description="What was said, without the speaker's name.")]


class NamedThing(BaseModel):
    """Something that a person named."""

    kind: Literal["people", "places", "products"]
    name: Annotated[str, Field(description="Letter for letter.")]


class SummaryNote(BaseModel):
    """Something worth a line in a diary."""

    turn: Annotated[int, Field(description="The number of the one turn that says it.")]
    kind: NoteKind
    text: Annotated[str, Field(description="A sentence that can be understood alone.")]


class SessionSummary(BaseModel):
    """What a stretch of conversation comes to."""

    points: list[SummaryPoint]
    named: list[NamedThing]
    notes: list[SummaryNote]
