"""Documents on PostgreSQL: each change is one transaction with its snapshot, its index rows and its audit."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.documents.cleansing import marked_source_ids, withhold_lines
from memory.documents.daily_notes import entry_id, note_name
from memory.documents.document import Document, DocumentDraft, DocumentKind, document_id
from memory.documents.port import DocumentRef, NoteEntry, NoteOutcome, unknown_document
from memory.documents.revision import note_changes, restore_version, revise_document
from memory.memory_item import Author
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.document_changes import DocumentChange, change_params, lock_documents, put_document
from memory.scope import Scope


@dataclass(frozen=True)
class _EntryId:
    entry_id: UUID


@dataclass(frozen=True)
class _TurnId:
    event_id: UUID


@dataclass(frozen=True)
class _WithheldMemory:
    memory_id: UUID
    forgotten: bool


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
        async with self.database.scope_session(scope) as session:
            return await _fetch_documents(session, scope, document_ids)

    async def list_documents(
        self, scope: Scope, kind: DocumentKind | None = None, limit: int = 100, after: DocumentRef | None = None
    ) -> list[Document]:
        after_kind, after_name = after or (None, None)
        asked = {"kind": kind, "limit": limit, "after_kind": after_kind, "after_name": after_name}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("documents_of_person", scope_params(scope) | asked, Document)

    async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
        async with self.database.transaction(scope) as session:
            await lock_documents(session, scope)
            found = await _fetch_documents(session, scope, (document_id(scope, draft.kind, draft.name),))
            held = found[0] if found else None
            document = revise_document(scope, held, await _withhold_lines(session, scope, draft), expected, author)
            if document is not held:
                await put_document(
                    session, scope, DocumentChange(held=held, document=document, author=author, action="save")
                )
            return document

    async def append_note(self, scope: Scope, entries: Sequence[NoteEntry], author: Author) -> list[NoteOutcome]:
        async with self.database.transaction(scope) as session:
            await lock_documents(session, scope)
            ids = [entry_id(scope, entry.key) for entry in entries]
            known = await session.fetch("known_entries", scope_params(scope) | {"entry_ids": ids}, _EntryId)
            notes = {document_id(scope, "daily_note", note_name(each.at, each.time_zone)) for each in entries}
            held = {each.document_id: each for each in await _fetch_documents(session, scope, list(notes))}
            past = {each.entry_id for each in known} | await _find_forgotten_entries(session, scope, entries)
            changes, outcomes = note_changes(scope, held, entries, past, author)
            for each in changes:
                change = DocumentChange(
                    held=each.held, document=each.document, author=author, action="append", snapshot=False
                )
                await put_document(session, scope, change)
                session.execute("remember_entries", change_params(scope, change) | {"entry_ids": list(each.entry_ids)})
            return outcomes

    async def history(self, scope: Scope, document_id: UUID) -> list[Document]:
        async with self.database.scope_session(scope) as session:
            return await _fetch_history(session, scope, document_id)

    async def restore(self, scope: Scope, document_id: UUID, version: int, author: Author) -> Document:
        async with self.database.transaction(scope) as session:
            await lock_documents(session, scope)
            versions = await _fetch_history(session, scope, document_id)
            document = restore_version(scope, versions, version, author)
            if document is not versions[-1]:
                change = DocumentChange(held=versions[-1], document=document, author=author, action="restore")
                await put_document(session, scope, change)
            return document


async def _fetch_documents(session: DatabaseSession, scope: Scope, document_ids: Sequence[UUID]) -> list[Document]:
    params = scope_params(scope) | {"document_ids": list(document_ids)}
    return await session.fetch("documents_by_id", params, Document)


async def _withhold_lines(session: DatabaseSession, scope: Scope, draft: DocumentDraft) -> DocumentDraft:
    """The draft without what was forgotten while somebody wrote it, and with what is excluded out of sight."""
    named = marked_source_ids(draft.body)
    params = scope_params(scope) | {"memory_ids": named}
    found = await session.fetch("withheld_memories", params, _WithheldMemory) if named else []
    gone = [each.memory_id for each in found if each.forgotten]
    return withhold_lines(draft, gone, [each.memory_id for each in found if not each.forgotten])


async def _find_forgotten_entries(session: DatabaseSession, scope: Scope, entries: Sequence[NoteEntry]) -> set[UUID]:
    """The entries that tell of turns in which something forgotten was said."""
    cited = [event for entry in entries for event in entry.cites]
    params = scope_params(scope) | {"event_ids": cited}
    found = await session.fetch("turns_saying_forgotten", params, _TurnId) if cited else []
    gone = {each.event_id for each in found}
    return {entry_id(scope, entry.key) for entry in entries if gone.intersection(entry.cites)}


async def _fetch_history(session: DatabaseSession, scope: Scope, document_id: UUID) -> list[Document]:
    params = scope_params(scope) | {"document_id": document_id, "document_ids": [document_id]}
    earlier = session.ask("versions_of_document", params, Document)
    current = await session.fetch("documents_by_id", params, Document)
    if not current:
        raise unknown_document()
    return [*earlier.rows, *current]
