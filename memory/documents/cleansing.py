"""Takes what a memory left in documents, lines made of it and entries about its turns, out of them or out of sight."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from memory.documents.daily_notes import parts_of
from memory.documents.document import (
    Document,
    DocumentDraft,
    DocumentKind,
    digest,
    memory_mark,
    normalize_body,
    without_comments,
)
from memory.documents.hidden_parts import escape_hidden, hide_part, reveal_memory, reveal_part, split_hidden
from memory.memory_item import Author

_MARKED = re.compile(r"- (?P<text>.*\S) <!-- \S+ -->")
_MARK = re.compile(r"<!-- (\S+) -->")
_MEMORY = re.compile(r"<!-- (?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->")


@dataclass(frozen=True, kw_only=True)
class ForgottenMemory:
    """A memory that is taken out of use, as it was worded, and the turns that only it had rested on.

    ``shared`` are turns that say other things as well: of what is told of them, only what holds the words goes.
    """

    memory_id: UUID
    words: str
    events: tuple[UUID, ...] = ()
    shared: tuple[UUID, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """By which documents name it and its turns."""
        return tuple(memory_mark(each) for each in (self.memory_id, *self.events, *self.shared))

    @property
    def patterns(self) -> list[str]:
        """What a LIKE finds in the documents that name it or its turns, hidden or not."""
        return [f"%{spelt}%" for mark in self.marks for spelt in (mark, escape_hidden(mark))]

    def is_mentioned_in(self, entry: str) -> bool:
        """Whether an entry of a daily note tells of it."""
        if any(memory_mark(each) in entry for each in (self.memory_id, *self.events)):
            return True
        named = any(memory_mark(each) in entry for each in self.shared)
        return named and self.words.casefold() in _words(entry).casefold()


def cleanse_documents(documents: Sequence[Document], gone: ForgottenMemory) -> list[tuple[Document, Document]]:
    """Each document that tells of what is forgotten, before and after; the version is the same.

    A line of MEMORY that was drawn from an entry goes with the entry.
    """
    return _edit_documents(documents, gone, lambda part: "")


def hide_in_documents(documents: Sequence[Document], gone: ForgottenMemory) -> list[tuple[Document, Document]]:
    """The same of what is excluded from use: it stays where it is, in comments."""
    return _edit_documents(documents, gone, lambda part: hide_part(part, gone.memory_id))


def reveal_in_documents(documents: Sequence[Document], memory_id: UUID) -> list[tuple[Document, Document]]:
    """Each document that hides something of a memory, before and after it is shown again."""
    return _changed((each, _with_body(each, reveal_memory(each.body, memory_id))) for each in documents)


def marked_source_ids(body: str) -> list[UUID]:
    """The memories, or turns, that the lines of a document were made of."""
    return [UUID(found["id"]) for found in _MEMORY.finditer(body)]


def withhold_lines(draft: DocumentDraft, gone: Collection[UUID], excluded: Collection[UUID]) -> DocumentDraft:
    """The draft without the lines that were made of forgotten memories, and with those of excluded ones in comments."""
    marks = [memory_mark(each) for each in gone]
    lines = draft.body.splitlines(keepends=True) if marks else [draft.body]
    body = "".join(line for line in lines if not any(mark in line for mark in marks))
    for memory_id in excluded:
        parts, mark = _parts(draft.kind, body), memory_mark(memory_id)
        body = "".join(hide_part(each, memory_id) if mark in each else each for each in parts)
    return draft if body == draft.body else replace(draft, body=body)


def next_version(document: Document, held: Document, author: Author) -> Document:
    """The cleansed document as the version after the one that was held."""
    return replace(
        document, version=held.version + 1, updated_at=author.at, author=author.operator, reason=author.reason
    )


def _edit_documents(
    documents: Sequence[Document], gone: ForgottenMemory, edit: Callable[[str], str]
) -> list[tuple[Document, Document]]:
    notes = (each for each in documents if each.kind == "daily_note")
    told = " ".join(_words(part) for each in notes for part in _open_parts(each) if gone.is_mentioned_in(part))
    return _changed((each, _edit_document(each, gone, told, edit)) for each in documents)


def _changed(pairs: Iterator[tuple[Document, Document]]) -> list[tuple[Document, Document]]:
    return [(before, after) for before, after in pairs if after.sha256 != before.sha256]


def _edit_document(document: Document, gone: ForgottenMemory, entries: str, edit: Callable[[str], str]) -> Document:
    def is_about(part: str) -> bool:
        text = reveal_part(part)
        return gone.is_mentioned_in(text) if document.kind == "daily_note" else _is_about(text, gone, entries)

    parts = _parts(document.kind, document.body)
    left = _with_body(document, "".join(edit(part) if is_about(part) else part for part in parts))
    front = dict(document.front)
    if front.get("name") == gone.words:
        front["name"] = ""
    if isinstance(front.get("curated"), list):
        # A line that is missing otherwise counts as taken out by the person, and stays out.
        lost = {str(gone.memory_id), *_MARK.findall(document.body)} - set(_MARK.findall(left.body))
        front["curated"] = [each for each in cast("list[object]", front["curated"]) if each not in lost]
    return replace(left, front=front, sha256=digest(front, left.body))


def _with_body(document: Document, body: str) -> Document:
    text = normalize_body(body)
    return replace(document, body=text, sha256=digest(document.front, text))


def _parts(kind: DocumentKind, body: str) -> Iterator[str]:
    """The entries of a daily note, the lines of any other document; what is hidden comes as it was hidden."""
    return split_hidden(body, parts_of if kind == "daily_note" else _lines)


def _open_parts(document: Document) -> Iterator[str]:
    """What they say, hidden or not."""
    return (reveal_part(part) for part in _parts(document.kind, document.body))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _is_about(line: str, gone: ForgottenMemory, entries: str) -> bool:
    if any(mark in line for mark in gone.marks):
        return True
    drawn = _MARKED.fullmatch(line.strip())
    return drawn is not None and bool(entries) and _words(drawn["text"]) in entries


def _words(text: str) -> str:
    return " ".join(without_comments(text).split())
