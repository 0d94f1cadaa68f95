"""What goes from documents when a memory is forgotten: the lines made of it, and the entries about its turns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.contracts import Author
from memory.documents.daily_notes import parts_of
from memory.documents.document import Document, canonical, digest, memory_mark, without_comments

_MARKED = re.compile(r"- (?P<text>.*\S) <!-- \S+ -->")


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """A memory that is taken back, as it was worded, and the turns that only it had rested on."""

    memory_id: UUID
    words: str
    events: tuple[UUID, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """By which documents name it and its turns."""
        return tuple(memory_mark(each) for each in (self.memory_id, *self.events))


def cleansed(documents: Sequence[Document], gone: Forgotten) -> list[tuple[Document, Document]]:
    """Each document that tells of what is forgotten, before and after; the version is the same.

    A line of MEMORY that was drawn from an entry goes with the entry.
    """
    entries = " ".join(_words(part) for each in documents if each.kind == "daily_note" for part in _lost(each, gone))
    pairs = ((each, _cleansed(each, gone, entries)) for each in documents)
    return [(before, after) for before, after in pairs if after.sha256 != before.sha256]


def next_version(document: Document, held: Document, author: Author) -> Document:
    """The cleansed document as the version after the one that was held."""
    return replace(
        document, version=held.version + 1, updated_at=author.at, author=author.operator, reason=author.reason
    )


def _cleansed(document: Document, gone: Forgotten, entries: str) -> Document:
    body = canonical(
        _without_entries(document, gone) if document.kind == "daily_note" else _without_lines(document, gone, entries)
    )
    front = dict(document.front)
    if front.get("name") == gone.words:
        front["name"] = ""
    return replace(document, body=body, front=front, sha256=digest(front, body))


def _without_entries(document: Document, gone: Forgotten) -> str:
    lost = set(_lost(document, gone))
    return "".join(part for part in parts_of(document.body) if part not in lost)


def _lost(document: Document, gone: Forgotten) -> list[str]:
    return [part for part in parts_of(document.body) if any(mark in part for mark in gone.marks)]


def _without_lines(document: Document, gone: Forgotten, entries: str) -> str:
    return "".join(line for line in document.body.splitlines(keepends=True) if not _tells(line, gone, entries))


def _tells(line: str, gone: Forgotten, entries: str) -> bool:
    if any(mark in line for mark in gone.marks):
        return True
    drawn = _MARKED.fullmatch(line.strip())
    return bool(drawn and entries) and _words(drawn["text"]) in entries if drawn else False


def _words(text: str) -> str:
    return " ".join(without_comments(text).split())
