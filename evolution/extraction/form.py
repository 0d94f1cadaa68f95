"""The form in which a model notes memories down. Every field is required: strict schemas want it so."""

from typing import Literal

from pydantic import BaseModel, Field

from memory.contracts import EpistemicType, ProvenanceLevel

NotedType = Literal["fact", "preference", "constraint", "plan", "relation", "pattern", "insight"]


class NotedMemory(BaseModel):
    """One assertion as a model notes it down. The reasoning comes first: what follows should follow from it."""

    reasoning: str = Field(description="Who says it, about whom, and why it will still matter; one sentence.")
    turn: int = Field(description="The number of the one turn that proves it.")
    quote: str = Field(description="The proving words, copied letter for letter from that turn.")
    type: NotedType
    subject: str = Field(description="Whom or what it is about: a name, or 'user' for the speaker.")
    predicate: str = Field(description="The relation in a word or two, such as lives_in, prefers, allergic_to.")
    object: str = Field(description="The value, in the language of the turn.")
    negated: bool = Field(description="True when the statement says that this is not so.")
    content: str = Field(description="One sentence in the language of the turn that can be understood alone.")
    category: str = Field(description="A shelf to put it on, such as work, residence, food_preference.")
    epistemic_type: EpistemicType
    provenance: ProvenanceLevel
    confidence: float = Field(description="0 to 1: how plainly it was said.")
    certainty: float = Field(description="0 to 1: how sure the person is of it.")
    valid_at: str = Field(description="Since when it is true, as a date; empty for the moment of speaking.")
    replaces: str = Field(description="The old value that this takes the place of; empty when it takes none.")
    related_memory: str = Field(description="The id of the known memory that this replaces or confirms; else empty.")


class Notes(BaseModel):
    """What a stretch of conversation leaves to remember; often nothing."""

    memories: list[NotedMemory]
