"""How documents change: pure decisions."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from memory.documents.daily_notes import append_entries, entry_id, note_name
from memory.documents.document import Document, DocumentDraft, digest, document_id
from memory.documents.port import NoteEntry, NoteOutcome, unknown_document, version_conflict_error
from memory.memory_item import Author
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class NoteChange:
    """A daily note with its new entries; ``held`` is what stood there."""

    held: Document | None
    document: Document
    entry_ids: tuple[UUID, ...]


def revise_document(
    scope: Scope, held: Document | None, draft: DocumentDraft, expected: int, author: Author
) -> Document:
    """The next version, or ``held`` itself where nothing changes. Raises ``E_CONFLICT``."""
    if held is not None and held.is_same_as(draft):
        return held
    found = held.version if held else 0
    if found != expected:
        raise version_conflict_error(draft, expected, found)
    return _next_version(scope, held, draft, author)


def restore_version(scope: Scope, versions: Sequence[Document], version: int, author: Author) -> Document:
    """What a kept version said, as the next one; ``versions`` end with the current one. Raises ``E_NOT_FOUND``."""
    past = next((each for each in versions if each.version == version), None)
    if past is None:
        raise unknown_document()
    draft = DocumentDraft(kind=past.kind, name=past.name, body=past.body, front=past.front)
    return versions[-1] if versions[-1].is_same_as(draft) else _next_version(scope, versions[-1], draft, author)


def note_changes(
    scope: Scope, held: Mapping[UUID, Document], entries: Sequence[NoteEntry], known: Set[UUID], author: Author
) -> tuple[list[NoteChange], list[NoteOutcome]]:
    """The notes that take entries, and what becomes of each entry. ``known`` are those taken before."""
    changes: list[NoteChange] = []
    outcomes = cast("list[NoteOutcome]", ["known"] * len(entries))
    for name, places in _new_by_note(scope, entries, known).items():
        note = held.get(document_id(scope, "daily_note", name))
        taken = append_entries(note.body if note else "", [entries[place] for place in places], scope.key)
        for place, outcome in zip(places, taken.outcomes, strict=True):
            outcomes[place] = outcome
        added = tuple(entry_id(scope, entries[place].key) for place in places if outcomes[place] == "added")
        if added:
            draft = DocumentDraft(kind="daily_note", name=name, body=taken.body, front=note.front if note else {})
            changes.append(NoteChange(held=note, document=_next_version(scope, note, draft, author), entry_ids=added))
    return changes, outcomes


def _new_by_note(scope: Scope, entries: Sequence[NoteEntry], known: Set[UUID]) -> dict[str, list[int]]:
    """The places of entries that no note has taken yet, by the note that they belong to."""
    seen, notes = set(known), dict[str, list[int]]()
    for place, entry in enumerate(entries):
        key = entry_id(scope, entry.key)
        if key not in seen:
            notes.setdefault(note_name(entry.at, entry.time_zone), []).append(place)
        seen.add(key)
    return notes


def _next_version(scope: Scope, held: Document | None, draft: DocumentDraft, author: Author) -> Document:
    made = Document(
        document_id=document_id(scope, draft.kind, draft.name),
        kind=draft.kind,
        name=draft.name,
        front=draft.front,
        body=draft.body,
        version=1,
        sha256=digest(draft.front, draft.body),
        updated_at=author.at,
        author=author.operator,
        reason=author.reason,
    )
    return replace(made, version=held.version + 1) if held else made
