"""What is asked of the organisation's knowledge and answered: an entry as it is written, found and shown."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, Field

from apps.memory_api.endpoint import ApiAnswer, ApiRequest, Text
from apps.memory_api.memories import Reason
from apps.memory_api.paging import PageRequest
from knowledge.entries import MAX_CHARACTERS, MAX_NAME_CHARACTERS, MAX_RELATIONS, Kind, KnowledgeDraft, Relation
from memory.errors import bad_request
from memory.zones import is_storable_moment

SOURCE = "written here"
"""Where an entry comes from that was read nowhere."""
ShortText = Annotated[Text, Field(max_length=MAX_NAME_CHARACTERS)]
EntryText = Annotated[Text, Field(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S", description="What it says.")]


class RelationText(ApiRequest):
    """Two things by name, and what is between them."""

    subject: Annotated[Text, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]
    relation: Annotated[Text, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]
    object: Annotated[Text, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]


class EntryFields(ApiRequest):
    """What an entry says, and for whom: an empty tier, role, brand or platform is everybody's."""

    text: EntryText
    kind: Annotated[
        Kind, Field(description="A tone stands in every prompt and steers it; a fact where it is asked.")
    ] = "fact"
    topic: Annotated[ShortText, Field(description="What a liking of a person may collide with.")] = ""
    owner: Annotated[ShortText, Field(description="Who answers for it.")] = ""
    org_tier: Annotated[ShortText, Field(description="brand_hq, regional_agent or franchise_store.")] = ""
    role: Annotated[ShortText, Field(description="owner, admin, editor or viewer.")] = ""
    brand: Annotated[ShortText, Field(description="The brand that it is about.")] = ""
    platform: Annotated[ShortText, Field(description="The channel that it is for, such as web.")] = ""
    language: Annotated[ShortText, Field(description="Of its text, such as en.")] = ""
    valid_from: Annotated[AwareDatetime | None, Field(description="From when on it holds.")] = None
    valid_until: Annotated[AwareDatetime | None, Field(description="Until when it holds.")] = None
    relations: Annotated[tuple[RelationText, ...], Field(max_length=MAX_RELATIONS)] = ()
    reason: Reason = ""

    def draft(self, source: str = SOURCE, source_key: str = "") -> KnowledgeDraft:
        """The entry to be written. Raises ``E_BAD_REQUEST`` where it would never hold."""
        if not all(is_storable_moment(each) for each in (self.valid_from, self.valid_until) if each):
            raise bad_request("valid_from or valid_until is too long ago, or too far ahead.")
        if self.valid_from and self.valid_until and self.valid_from >= self.valid_until:
            raise bad_request("valid_until is not after valid_from.", "Put the later moment into valid_until.")
        told = self.model_dump(exclude={"relations", "reason", "id", "revision"})
        relations = tuple(Relation(**each.model_dump()) for each in self.relations)
        return KnowledgeDraft(**told, relations=relations, source=source, source_key=source_key)


class NewEntry(EntryFields):
    """One thing that the organisation knows."""


class OneEntry(ApiRequest):
    """Which entry."""

    id: Annotated[UUID, Field(description="The entry's id.")]


class EntryEdit(EntryFields):
    """What it is to say. ``revision`` is the one that was read."""

    id: Annotated[UUID, Field(description="The entry's id.")]
    revision: Annotated[int, Field(ge=1, le=1_000_000_000)]


class EntryRemoval(OneEntry):
    """Which entry no answer may use any more."""

    reason: Reason = ""


class EntryList(PageRequest):
    """Which entries; of all when nothing is named."""

    kind: Annotated[Kind | None, Field(description="fact or tone.")] = None
    topic: ShortText = ""
    source: ShortText = ""
    brand: ShortText = ""
    removed: Annotated[bool, Field(description="Those that were removed instead.")] = False


class EntrySearch(ApiRequest):
    """What is looked for."""

    text: Annotated[Text, Field(min_length=1, max_length=4_000, description="What is looked for.")]
    limit: Annotated[int, Field(ge=1, le=50, description="How many entries at most.")] = 10


class EntryView(ApiAnswer):
    """An entry as it stands."""

    entry_id: UUID
    kind: Kind
    text: str
    topic: str
    owner: str
    org_tier: str
    role: str
    brand: str
    platform: str
    language: str
    valid_from: datetime | None
    valid_until: datetime | None
    source: str
    revision: int
    author: str
    reason: str
    created_at: datetime
    updated_at: datetime
    removed_at: datetime | None
    relations: list[RelationText] = Field(default_factory=list[RelationText])


class EntryVersionView(ApiAnswer):
    """What an entry said in one of its revisions, who wrote that, and why."""

    revision: int
    text: str
    author: str
    reason: str
    recorded_at: datetime
    removed: bool


class EntryHistory(ApiAnswer):
    """All revisions, oldest first; the last one is how it stands."""

    versions: list[EntryVersionView]


class EntryHit(ApiAnswer):
    """An entry that was found, and how near it comes."""

    entry_id: UUID
    text: str
    source: str
    topic: str
    brand: str
    platform: str
    score: float


class EntryHits(ApiAnswer):
    """What was found, nearest first."""

    entries: list[EntryHit]
