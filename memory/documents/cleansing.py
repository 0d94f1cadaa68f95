"""Removes from documents what a forgotten memory left there: lines made of it, and entries about its turns."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from memory.contracts import Author
from memory.documents.daily_notes import parts_of
from memory.documents.document import Document, digest, memory_mark, normalize_body, without_comments

_MARKED = re.compile(r"- (?P<text>.*\S) <!-- \S+ -->")
_MEMORY = re.compile(r"<!-- (?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->")


@dataclass(frozen=True, kw_only=True)
class ForgottenMemory:
    """A memory that is taken back, as it was worded, and the turns that only it had rested on.

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
    entries = " ".join(
        _words(part) for each in documents if each.kind == "daily_note" for part in _entries_about(each, gone)
    )
    pairs = ((each, _cleanse_document(each, gone, entries)) for each in documents)
    return [(before, after) for before, after in pairs if after.sha256 != before.sha256]


def marked_source_ids(body: str) -> list[UUID]:
    """The memories, or turns, that the lines of a document were made of."""
    return [UUID(found["id"]) for found in _MEMORY.finditer(body)]


def without_lines_of(body: str, memory_ids: Collection[UUID]) -> str:
    """The text without the lines that were made of those memories: what was forgotten is not written again."""
    marks = [memory_mark(each) for each in memory_ids]
    lines = body.splitlines(keepends=True) if marks else [body]
    return "".join(line for line in lines if not any(mark in line for mark in marks))


def next_version(document: Document, held: Document, author: Author) -> Document:
    """The cleansed document as the version after the one that was held."""
    return replace(
        document, version=held.version + 1, updated_at=author.at, author=author.operator, reason=author.reason
    )


def _cleanse_document(document: Document, gone: ForgottenMemory, entries: str) -> Document:
    body = normalize_body(
        _without_entries(document, gone) if document.kind == "daily_note" else _without_lines(document, gone, entries)
    )
    front = dict(document.front)
    if front.get("name") == gone.words:
        front["name"] = ""
    if isinstance(front.get("curated"), list):
        # A line that is missing otherwise counts as taken out by the person, and stays out.
        front["curated"] = [each for each in cast("list[object]", front["curated"]) if each != str(gone.memory_id)]
    return replace(document, body=body, front=front, sha256=digest(front, body))


def _without_entries(document: Document, gone: ForgottenMemory) -> str:
    lost = set(_entries_about(document, gone))
    return "".join(part for part in parts_of(document.body) if part not in lost)


def _entries_about(document: Document, gone: ForgottenMemory) -> list[str]:
    return [part for part in parts_of(document.body) if gone.is_mentioned_in(part)]


def _without_lines(document: Document, gone: ForgottenMemory, entries: str) -> str:
    return "".join(line for line in document.body.splitlines(keepends=True) if not _is_about(line, gone, entries))


def _is_about(line: str, gone: ForgottenMemory, entries: str) -> bool:
    if any(mark in line for mark in gone.marks):
        return True
    drawn = _MARKED.fullmatch(line.strip())
    return drawn is not None and bool(entries) and _words(drawn["text"]) in entries


def _words(text: str) -> str:
    return " ".join(without_comments(text).split())
