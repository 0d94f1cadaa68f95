"""The form in which a model sums up a stretch of conversation."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class SummaryPoint(BaseModel):
    """One line of the summary."""

    turns: Annotated[list[int], Field(description="The numbers of the turns that say it, all of one speaker.")]
    text: Annotated[str, Field(description="What was said, without the speaker's name.")]


class NamedThing(BaseModel):
    """Something that a person named."""

    kind: Literal["people", "places", "products"]
    name: Annotated[str, Field(description="Letter for letter.")]


class SessionSummary(BaseModel):
    """What a stretch of conversation comes to."""

    points: list[SummaryPoint]
    named: list[NamedThing]
