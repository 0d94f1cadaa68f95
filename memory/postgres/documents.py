"""Documents on PostgreSQL: each change is one transaction with its snapshot, its index rows and its audit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.contracts import Author
from memory.documents.daily_notes import entry_id, note_name
from memory.documents.document import Document, DocumentDraft, DocumentKind, document_id
from memory.documents.forgetting import memories_named, without_lines_of
from memory.documents.port import NoteEntry, NoteOutcome, unknown_document
from memory.documents.revision import brought_back, note_changes, revised
from memory.postgres.database import Database, of_scope
from memory.postgres.document_changes import DocumentChange, change_params, lock, put
from memory.postgres.session import Session
from memory.scope import Scope


@dataclass(frozen=True)
class _Known:
    entry_id: UUID


@dataclass(frozen=True)
class _Turn:
    event_id: UUID


@dataclass(frozen=True)
class _Memory:
    memory_id: UUID


@dataclass(frozen=True)
class PostgresDocuments:
    """The promises are those of the port."""

    database: Database

    async def get(self, scope: Scope, document_id: UUID) -> Document:
        found = await self.find(scope, (document_id,))
        if not found:
            raise unknown_document()
        return found[0]

    async def find(self, scope: Scope, document_ids: Sequence[UUID]) -> list[Document]:
        async with self.database.scoped(scope) as session:
            return await _found(session, scope, document_ids)

    async def listed(self, scope: Scope, kind: DocumentKind | None = None, limit: int = 100) -> list[Document]:
        async with self.database.scoped(scope) as session:
            return await session.fetch(
                "documents_of_person", of_scope(scope) | {"kind": kind, "limit": limit}, Document
            )

    async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
        async with self.database.transaction(scope) as session:
            await lock(session, scope)
            found = await _found(session, scope, (document_id(scope, draft.kind, draft.name),))
            held = found[0] if found else None
            document = revised(scope, held, await _remembered(session, scope, draft), expected, author)
            if document is not held:
                await put(session, scope, DocumentChange(held=held, document=document, author=author, action="save"))
            return document

    async def append_note(self, scope: Scope, entries: Sequence[NoteEntry], author: Author) -> list[NoteOutcome]:
        async with self.database.transaction(scope) as session:
            await lock(session, scope)
            ids = [entry_id(scope, entry.key) for entry in entries]
            known = await session.fetch("known_entries", of_scope(scope) | {"entry_ids": ids}, _Known)
            notes = {document_id(scope, "daily_note", note_name(each.at, each.time_zone)) for each in entries}
            held = {each.document_id: each for each in await _found(session, scope, list(notes))}
            past = {each.entry_id for each in known} | await _forgotten(session, scope, entries)
            changes, outcomes = note_changes(scope, held, entries, past, author)
            for each in changes:
                change = DocumentChange(
                    held=each.held, document=each.document, author=author, action="append", snapshot=False
                )
                await put(session, scope, change)
                session.execute("remember_entries", change_params(scope, change) | {"entry_ids": list(each.entry_ids)})
            return outcomes

    async def history(self, scope: Scope, document_id: UUID) -> list[Document]:
        async with self.database.scoped(scope) as session:
            return await _history(session, scope, document_id)

    async def restore(self, scope: Scope, document_id: UUID, version: int, author: Author) -> Document:
        async with self.database.transaction(scope) as session:
            await lock(session, scope)
            versions = await _history(session, scope, document_id)
            document = brought_back(scope, versions, version, author)
            if document is not versions[-1]:
                change = DocumentChange(held=versions[-1], document=document, author=author, action="restore")
                await put(session, scope, change)
            return document


async def _found(session: Session, scope: Scope, document_ids: Sequence[UUID]) -> list[Document]:
    params = of_scope(scope) | {"document_ids": list(document_ids)}
    return await session.fetch("documents_by_id", params, Document)


async def _remembered(session: Session, scope: Scope, draft: DocumentDraft) -> DocumentDraft:
    """The draft without what was forgotten while somebody wrote it."""
    named = memories_named(draft.body)
    params = of_scope(scope) | {"memory_ids": named}
    gone = await session.fetch("forgotten_memories", params, _Memory) if named else []
    return replace(draft, body=without_lines_of(draft.body, [each.memory_id for each in gone])) if gone else draft


async def _forgotten(session: Session, scope: Scope, entries: Sequence[NoteEntry]) -> set[UUID]:
    """The entries that tell of turns in which something forgotten was said."""
    cited = [event for entry in entries for event in entry.cites]
    params = of_scope(scope) | {"event_ids": cited}
    found = await session.fetch("turns_saying_forgotten", params, _Turn) if cited else []
    gone = {each.event_id for each in found}
    return {entry_id(scope, entry.key) for entry in entries if gone.intersection(entry.cites)}


async def _history(session: Session, scope: Scope, document_id: UUID) -> list[Document]:
    params = of_scope(scope) | {"document_id": document_id, "document_ids": [document_id]}
    earlier = session.ask("versions_of_document", params, Document)
    current = await session.fetch("documents_by_id", params, Document)
    if not current:
        raise unknown_document()
    return [*earlier.rows, *current]
