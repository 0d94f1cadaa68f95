"""What is written into knowledge and read from it: entries, their relations, and where they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from json import dumps
from typing import Literal, Protocol, get_args
from uuid import UUID

from language.terms import Terms, analyse

Kind = Literal["fact", "tone"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_CHARACTERS = 8_000
"""Of one entry: more is a document, which is imported as its sections."""
MAX_NAME_CHARACTERS = 200
MAX_RELATIONS = 20


@dataclass(frozen=True, kw_only=True)
class Relation:
    """What an entry says of two things by name: ``subject`` ``relation`` ``object``."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, kw_only=True)
class EntryContent:
    """What an entry says.

    ``org_tier``, ``role``, ``brand`` and ``platform`` say for whom it is, empty for everybody; ``owner`` who answers
    for it. ``source`` and ``source_key`` name the place that it was read from: the same place again is the same entry.
    """

    text: str
    kind: Kind = "fact"
    topic: str = ""
    owner: str = ""
    org_tier: str = ""
    role: str = ""
    brand: str = ""
    platform: str = ""
    language: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    source: str = ""
    source_key: str = ""


@dataclass(frozen=True, kw_only=True)
class KnowledgeDraft(EntryContent):
    """An entry as somebody writes it."""

    relations: tuple[Relation, ...] = ()

    @property
    def sha256(self) -> bytes:
        """Of all that it says: who reads the same again writes nothing."""
        return sha256(dumps(asdict(self), sort_keys=True, default=str, ensure_ascii=False).encode()).digest()

    @property
    def terms(self) -> Terms:
        """By which words it is found: its own, its topic's and those of the things it relates."""
        names = " ".join(f"{each.subject} {each.object}" for each in self.relations)
        return analyse(f"{self.text} {self.topic} {self.brand} {names}")


@dataclass(frozen=True, kw_only=True)
class IndexedDraft:
    """A draft with its vector; ``model`` is ``none`` where there is no vector yet."""

    draft: KnowledgeDraft
    entry_id: UUID
    model: str = "none"
    vector: Sequence[float] | None = None


@dataclass(frozen=True, kw_only=True)
class Author:
    """Who writes, why and when."""

    name: str
    reason: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class StoredEntry(EntryContent):
    """An entry as it stands. ``embedding_model`` is ``none`` while it waits for its vector."""

    entry_id: UUID
    revision: int
    author: str
    reason: str
    created_at: datetime
    updated_at: datetime
    removed_at: datetime | None
    embedding_model: str


@dataclass(frozen=True, kw_only=True)
class EntryVersion:
    """What an entry said from ``recorded_at`` on; ``snapshot`` has the fields of ``StoredEntry``."""

    revision: int
    snapshot: Mapping[str, object]
    author: str
    reason: str
    recorded_at: datetime


@dataclass(frozen=True, kw_only=True)
class EntryFilter:
    """Which entries a list shows; an empty value asks for nothing."""

    kind: str = ""
    topic: str = ""
    source: str = ""
    brand: str = ""
    removed: bool = False
    readers: tuple[str, str] | None = None
    """The tier and role of who may see no more than what is for them; None for who sees all."""


@dataclass(frozen=True, kw_only=True)
class WriteCount:
    """What became of drafts: entries that are new, that changed, and that were there already; ``entry_ids`` of all."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    entry_ids: tuple[UUID, ...] = field(default=())

    def __add__(self, other: "WriteCount") -> "WriteCount":
        """Both together."""
        return WriteCount(
            added=self.added + other.added,
            changed=self.changed + other.changed,
            unchanged=self.unchanged + other.unchanged,
            entry_ids=(*self.entry_ids, *other.entry_ids),
        )


class KnowledgeStore(Protocol):
    """Writing and looking through one tenant's knowledge. Every write moves the tenant's version on."""

    async def find_new(self, tenant_id: UUID, drafts: Sequence[KnowledgeDraft]) -> list[KnowledgeDraft]:
        """Of drafts with places, those that say something else than what was read there before; the others all."""
        ...

    async def put(self, tenant_id: UUID, drafts: Sequence[IndexedDraft], by: Author) -> WriteCount:
        """Write entries, all or none of them. One that was read from its place before is changed or left as it is."""
        ...

    async def edit(self, tenant_id: UUID, draft: IndexedDraft, revision: int, by: Author) -> StoredEntry | None:
        """Say something else in an entry; None where there is none at that revision any more."""
        ...

    async def remove(self, tenant_id: UUID, entry_id: UUID, by: Author) -> StoredEntry | None:
        """Take an entry out of every answer; its history stays. None where there is none, or it was removed before."""
        ...

    async def find(self, tenant_id: UUID, entry_ids: Sequence[UUID]) -> list[StoredEntry]:
        """Entries by their ids, removed ones as well; 1,000 at most."""
        ...

    async def list_entries(
        self, tenant_id: UUID, wanted: EntryFilter, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[StoredEntry]:
        """Entries, the newest first, behind the one that was updated then."""
        ...

    async def history(self, tenant_id: UUID, entry_id: UUID) -> list[EntryVersion]:
        """What an entry said before, oldest first; the newest stands in the entry."""
        ...

    async def relations(self, tenant_id: UUID, entry_id: UUID) -> list[Relation]:
        """What an entry relates."""
        ...

    async def list_unembedded(self, tenant_id: UUID, model: str, limit: int) -> list[tuple[UUID, str]]:
        """Entries without a vector of that model: id and text."""
        ...

    async def set_vectors(self, tenant_id: UUID, model: str, vectors: Mapping[UUID, Sequence[float]]) -> None:
        """Keep vectors; what an entry says stays as it is."""
        ...
