"""The port of documents: read, saved against the version that was read, and looked up in their history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory.documents.document import Document, DocumentDraft, DocumentKind
from memory.errors import BrainError, bad_request
from memory.memory_item import Author
from memory.scope import Scope
from memory.storable_text import require_storable_text

NoteOutcome = Literal["added", "known", "full"]
"""What became of an entry: it stands in the note, it was taken before (or what it tells of was forgotten), or the day's
note has no room for it."""

MAX_SOURCE_CHARACTERS = 40

DocumentRef = tuple[DocumentKind, str]
"""The kind and the name of a document."""


@dataclass(frozen=True, kw_only=True)
class NoteEntry:
    """One entry of a daily note: the note of the day that it was in ``time_zone``. The same ``key`` enters once, ever.

    ``source`` is a short word for where it comes from (``user``, ``summary``). ``cites`` are the turns that it tells
    of: when these are forgotten, so is the entry. ``made_of`` is the memory that it words: the entry
    goes with it, and says when it is over.
    """

    key: str
    text: str
    at: datetime
    time_zone: str = "UTC"
    source: str = "conversation"
    cites: tuple[UUID, ...] = ()
    made_of: UUID | None = None

    def __post_init__(self) -> None:
        """Raises ``E_BAD_REQUEST`` for what no note can hold."""
        if not self.text.strip() or not self.key or self.at.tzinfo is None:
            raise bad_request("A note's entry needs text, a key and a time with its zone.")
        if not self.source.replace("_", "").isalnum() or len(self.source) > MAX_SOURCE_CHARACTERS:
            raise bad_request(f"{self.source[:60]!r} cannot name the source of an entry.", "Use a short word.")
        for text in (self.text, self.key):
            require_storable_text(text)


class Documents(Protocol):
    """A person's (or a group's) documents. Saving indexes their sections for recall in the same transaction."""

    async def get(self, scope: Scope, document_id: UUID) -> Document:
        """Raises ``E_NOT_FOUND`` for an unknown id and for another person's alike."""
        ...

    async def find(self, scope: Scope, document_ids: Sequence[UUID]) -> list[Document]:
        """Those of the documents that exist, by kind, then by name backwards."""
        ...

    async def list_documents(
        self, scope: Scope, kind: DocumentKind | None = None, limit: int = 100, after: DocumentRef | None = None
    ) -> list[Document]:
        """By kind, then by name backwards: the newest daily notes first. Those behind ``after``."""
        ...

    async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
        """The next version, where ``expected`` is the one that the writer read; 0 when there was none.

        What the document says already is answered as it stands, whatever was expected. Lines made of memories that
        were forgotten meanwhile are left out. Raises ``E_CONFLICT`` when another version stands there: nothing is
        overwritten.
        """
        ...

    async def append_note(self, scope: Scope, entries: Sequence[NoteEntry], author: Author) -> list[NoteOutcome]:
        """Add entries to the daily notes of their days; one outcome per entry, in order."""
        ...

    async def history(self, scope: Scope, document_id: UUID) -> list[Document]:
        """The snapshots that are kept and the current version, oldest first. Raises ``E_NOT_FOUND``."""
        ...

    async def restore(self, scope: Scope, document_id: UUID, version: int, author: Author) -> Document:
        """Say again what a kept version said, as a new version. Raises ``E_NOT_FOUND``."""
        ...


def unknown_document() -> BrainError:
    """The same answer for a document that never existed, for somebody else's, and for a version that is not kept."""
    return BrainError("E_NOT_FOUND", "There is no such document.", "The list of documents shows them.")


def version_conflict_error(document: Document | DocumentDraft, expected: int, found: int) -> BrainError:
    """Somebody else changed the document meanwhile."""
    return BrainError(
        "E_CONFLICT",
        f"{document.kind}/{document.name} is at version {found}, not at {expected}.",
        "Read it again and put the change into what it says now.",
    )
