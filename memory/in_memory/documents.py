"""The documents port, in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.contracts import Author, MemoryItem
from memory.documents.cleansing import (
    ForgottenMemory,
    cleanse_documents,
    hide_in_documents,
    marked_source_ids,
    next_version,
    reveal_in_documents,
    withhold_lines,
)
from memory.documents.daily_notes import entry_id
from memory.documents.document import KEPT, Document, DocumentDraft, DocumentKind, document_id
from memory.documents.outdated_marks import mark_outdated_lines
from memory.documents.port import DocumentRef, NoteEntry, NoteOutcome, unknown_document
from memory.documents.revision import note_changes, restore_version, revise_document
from memory.documents.rows import rows_of_document, section_ids
from memory.in_memory.forgotten_turns import active_memories_of, forgotten_turns, says_forgotten
from memory.in_memory.store import Compartment, InMemoryStore
from memory.scope import Scope


@dataclass
class InMemoryDocuments:
    """The documents port."""

    store: InMemoryStore

    async def get(self, scope: Scope, document_id: UUID) -> Document:
        found = await self.find(scope, (document_id,))
        if not found:
            raise unknown_document()
        return found[0]

    async def find(self, scope: Scope, document_ids: Sequence[UUID]) -> list[Document]:
        held = self.store.compartment_of(scope).documents
        return _sort_documents([held[each] for each in document_ids if each in held])

    async def list_documents(
        self, scope: Scope, kind: DocumentKind | None = None, limit: int = 100, after: DocumentRef | None = None
    ) -> list[Document]:
        held = self.store.compartment_of(scope).documents.values()
        kept = [each for each in held if kind in (None, each.kind) and (after is None or _is_behind(each, after))]
        return _sort_documents(kept)[:limit]

    async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
        held = self.store.compartment_of(scope).documents.get(document_id(scope, draft.kind, draft.name))
        document = revise_document(
            scope, held, _withhold_lines(self.store.compartment_of(scope), draft), expected, author
        )
        return self._put(scope, held, document)

    async def append_note(self, scope: Scope, entries: Sequence[NoteEntry], author: Author) -> list[NoteOutcome]:
        space = self.store.compartment_of(scope)
        gone = {entry_id(scope, each.key) for each in entries if any(says_forgotten(space, c) for c in each.cites)}
        changes, outcomes = note_changes(scope, space.documents, entries, space.note_entries | gone, author)
        for change in changes:
            self._put(scope, change.held, change.document, snapshot=False)
            space.note_entries |= set(change.entry_ids)
        return outcomes

    async def history(self, scope: Scope, document_id: UUID) -> list[Document]:
        current = await self.get(scope, document_id)
        return [*self.store.compartment_of(scope).document_versions.get(document_id, []), current]

    async def restore(self, scope: Scope, document_id: UUID, version: int, author: Author) -> Document:
        versions = await self.history(scope, document_id)
        return self._put(scope, versions[-1], restore_version(scope, versions, version, author))

    def _put(self, scope: Scope, held: Document | None, document: Document, *, snapshot: bool = True) -> Document:
        space = self.store.compartment_of(scope)
        if document is held:
            return document
        if held is not None and snapshot:
            versions = space.document_versions.setdefault(held.document_id, [])
            versions[:] = [*versions, held][-KEPT[held.kind] :]
        _store_document(space, scope, held, document)
        return document


def cleanse(store: InMemoryStore, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Take what was made of a memory out of every document and every kept version of one."""
    space = store.compartment_of(scope)
    gone = _find_traces(space, item, of_turns=item.status == "deleted")
    _rewrite_documents(space, scope, lambda documents: cleanse_documents(documents, gone), author)


def hide_excluded(space: Compartment, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Hide what documents and their kept versions tell of an excluded memory, or show it again."""
    gone = _find_traces(space, item, of_turns=True)
    if item.use == "excluded":
        _rewrite_documents(space, scope, lambda documents: hide_in_documents(documents, gone), author)
    else:
        _rewrite_documents(space, scope, lambda documents: reveal_in_documents(documents, item.memory_id), author)
    if item.status != "active":
        update_outdated_marks(space, scope, item, author)


def _rewrite_documents(
    space: Compartment,
    scope: Scope,
    rewrite: Callable[[Sequence[Document]], list[tuple[Document, Document]]],
    author: Author,
) -> None:
    for held, left in rewrite(list(space.documents.values())):
        _store_document(space, scope, held, next_version(left, held, author))
    for versions in space.document_versions.values():
        rewritten = {before.version: after for before, after in rewrite(versions)}
        versions[:] = [rewritten.get(each.version, each) for each in versions]


def _find_traces(space: Compartment, item: MemoryItem, *, of_turns: bool) -> ForgottenMemory:
    events = forgotten_turns(space, item.memory_id) if of_turns else set[UUID]()
    shared = {each for each in events if active_memories_of(space, each)}
    return ForgottenMemory(
        memory_id=item.memory_id, words=item.object, events=tuple(events - shared), shared=tuple(shared)
    )


def update_outdated_marks(space: Compartment, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Say in every document whether a memory that it tells of has ended."""
    for held, left in mark_outdated_lines(list(space.documents.values()), item):
        _store_document(space, scope, held, next_version(left, held, author))


def _withhold_lines(space: Compartment, draft: DocumentDraft) -> DocumentDraft:
    """The draft without what was forgotten while somebody wrote it, and with what is excluded out of sight."""
    named = [item for each in marked_source_ids(draft.body) if (item := space.items.get(each))]
    gone = [each.memory_id for each in named if each.status == "deleted"]
    excluded = [each.memory_id for each in named if each.status != "deleted" and each.is_withheld]
    return withhold_lines(draft, gone, excluded)


def _store_document(space: Compartment, scope: Scope, held: Document | None, document: Document) -> None:
    space.documents[document.document_id] = document
    rows = {row.source_id: row for row in rows_of_document(scope, document)}
    for gone in (section_ids(held) if held else set[UUID]()) - rows.keys():
        space.rows.pop(gone, None)
    space.rows |= {source: row for source, row in rows.items() if source not in space.rows}


def _sort_documents(documents: Sequence[Document]) -> list[Document]:
    by_name = sorted(documents, key=lambda each: each.name, reverse=True)
    return sorted(by_name, key=lambda each: each.kind)


def _is_behind(document: Document, after: DocumentRef) -> bool:
    """By kind, then by name backwards."""
    kind, name = after
    return document.kind > kind or (document.kind == kind and document.name < name)
