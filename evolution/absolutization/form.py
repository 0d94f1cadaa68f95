"""The form in which a model puts memories in clear words. Every field is required: strict schemas want it so."""

from pydantic import BaseModel, Field


class Reworded(BaseModel):
    """A memory in words that need no context."""

    reasoning: str = Field(description="What each unclear word stands for, and which turn says so; one sentence.")
    number: int = Field(description="The number of the memory.")
    content: str = Field(description="The whole sentence again, without unclear words.")
    object: str = Field(description="The object again, without unclear words.")


class Rewordings(BaseModel):
    """One entry for each memory that could be made clear; the others are left out."""

    memories: list[Reworded]
