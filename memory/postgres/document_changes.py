"""One change of a document on its way into the tables: snapshot, row, audit and index, in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from psycopg.types.json import Json

from memory.documents.cleansing import (
    ForgottenMemory,
    cleanse_documents,
    hide_in_documents,
    next_version,
    reveal_in_documents,
)
from memory.documents.document import KEPT, Document, memory_mark
from memory.documents.hidden_parts import hiding_pattern
from memory.documents.outdated_marks import mark_outdated_lines
from memory.documents.port import version_conflict_error
from memory.memory_item import Author, MemoryItem
from memory.postgres.database import scope_params
from memory.postgres.database_session import DatabaseSession, Transaction
from memory.postgres.sections import index_changes
from memory.scope import Scope


@dataclass(frozen=True)
class _DocumentLock:
    locked: bool


@dataclass(frozen=True)
class _WrittenDocument:
    document_id: UUID


@dataclass(frozen=True)
class _ForgottenTurn:
    event_id: UUID
    shared: bool


@dataclass(frozen=True, kw_only=True)
class DocumentChange:
    """``held`` is what stood there; it is kept as a snapshot unless that is switched off."""

    held: Document | None
    document: Document
    author: Author
    action: Literal["save", "append", "restore", "forget", "remark", "hide"]
    snapshot: bool = True


@dataclass(frozen=True)
class DocumentsEdit:
    """What is rewritten in all documents at once: where LIKE finds it, and each document before and after."""

    patterns: list[str]
    rewrite: Callable[[Sequence[Document]], list[tuple[Document, Document]]]
    action: Literal["forget", "hide"]


async def lock_documents(session: DatabaseSession, scope: Scope) -> None:
    """One writer of this owner's documents at a time, until the transaction ends."""
    await session.fetch("lock_documents", scope_params(scope), _DocumentLock)


async def put_document(session: Transaction, scope: Scope, change: DocumentChange) -> None:
    """Write the change. Raises ``E_CONFLICT`` when another version stands there after all."""
    params, held = change_params(scope, change), change.held
    if held is not None and change.snapshot:
        session.execute("keep_document_version", params)
    written = await session.fetch("update_document" if held else "insert_document", params, _WrittenDocument)
    if not written:
        raise version_conflict_error(change.document, held.version if held else 0, change.document.version)
    session.execute("prune_document_versions", params)
    session.execute("audit_document", params)
    index_changes(session, scope, held, change.document)


async def cleanse(session: Transaction, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Take what was made of a memory out of every document and every kept version of one.

    When the memory was forgotten, what entries tell of its turns goes as well.
    """
    await lock_documents(session, scope)
    gone = await _find_traces(session, scope, item, of_turns=item.status == "deleted")
    edit = DocumentsEdit(gone.patterns, lambda documents: cleanse_documents(documents, gone), "forget")
    await _rewrite_documents(session, scope, edit, author)


async def rewrite_without(session: Transaction, scope: Scope, gone: Sequence[ForgottenMemory], author: Author) -> None:
    """Write every document of an owner, with all kept versions, without what was made of memories and their turns."""

    def rewrite(documents: Sequence[Document]) -> list[tuple[Document, Document]]:
        left = list(documents)
        for each in gone:
            changed = {(after.document_id, after.version): after for _, after in cleanse_documents(left, each)}
            left = [changed.get((before.document_id, before.version), before) for before in left]
        return [pair for pair in zip(documents, left, strict=True) if pair[0].sha256 != pair[1].sha256]

    await lock_documents(session, scope)
    await _rewrite_documents(session, scope, DocumentsEdit(["%"], rewrite, "forget"), author)


async def hide_excluded(session: Transaction, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Hide what documents and their kept versions tell of an excluded memory, or show it again."""
    await lock_documents(session, scope)
    gone = await _find_traces(session, scope, item, of_turns=True)
    if item.use == "excluded":
        edit = DocumentsEdit(gone.patterns, lambda documents: hide_in_documents(documents, gone), "hide")
    else:
        hidden = [hiding_pattern(item.memory_id)]
        edit = DocumentsEdit(hidden, lambda documents: reveal_in_documents(documents, item.memory_id), "hide")
    await _rewrite_documents(session, scope, edit, author)
    if item.status != "active":
        await update_outdated_marks(session, scope, item, author)


async def _rewrite_documents(session: Transaction, scope: Scope, edit: DocumentsEdit, author: Author) -> None:
    """The documents as next versions, and the kept versions in their places; none of it leaves a snapshot."""
    marks = scope_params(scope) | {"marks": edit.patterns}
    versions = session.ask("versions_to_cleanse", marks, Document)
    current = await session.fetch("documents_to_cleanse", marks, Document)
    for held, left in edit.rewrite(current):
        after = next_version(left, held, author)
        change = DocumentChange(held=held, document=after, author=author, action=edit.action, snapshot=False)
        await put_document(session, scope, change)
    for held, left in edit.rewrite(versions.rows):
        change = DocumentChange(held=held, document=left, author=author, action=edit.action)
        session.execute("drop_document_version", change_params(scope, change))
        session.execute("insert_document_version", change_params(scope, change))


async def _find_traces(session: Transaction, scope: Scope, item: MemoryItem, *, of_turns: bool) -> ForgottenMemory:
    """By what documents may name a memory; with the turns that say it, where these are withheld with it."""
    named = scope_params(scope) | {"memory_id": item.memory_id}
    turns = await session.fetch("forgotten_turns", named, _ForgottenTurn) if of_turns else []
    return ForgottenMemory(
        memory_id=item.memory_id,
        words=item.object,
        events=tuple(turn.event_id for turn in turns if not turn.shared),
        shared=tuple(turn.event_id for turn in turns if turn.shared),
    )


async def update_outdated_marks(session: Transaction, scope: Scope, item: MemoryItem, author: Author) -> None:
    """Say in every document whether a memory that it tells of has ended. No snapshot: nothing is lost by it."""
    await lock_documents(session, scope)
    named = scope_params(scope) | {"mark": f"%{memory_mark(item.memory_id)}%"}
    for held, left in mark_outdated_lines(await session.fetch("documents_telling", named, Document), item):
        after = next_version(left, held, author)
        change = DocumentChange(held=held, document=after, author=author, action="remark", snapshot=False)
        await put_document(session, scope, change)


def change_params(scope: Scope, change: DocumentChange) -> dict[str, object]:
    """A change as statement parameters."""
    document, author = change.document, change.author
    return scope_params(scope) | {
        "document_id": document.document_id,
        "kind": document.kind,
        "name": document.name,
        "front": Json(dict(document.front)),
        "body": document.body,
        "version": document.version,
        "sha256": document.sha256,
        "author": document.author,
        "reason": document.reason,
        "updated_at": document.updated_at,
        "kept": KEPT[document.kind],
        "action": f"document_{change.action}",
        "trace_id": author.trace_id,
    }
