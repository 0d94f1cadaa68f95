"""Marks the lines of documents whose memory has ended, or is in doubt: they stay as a part of the past."""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.documents.document import Document, digest, memory_mark, normalize_body
from memory.index_rows import note_of
from memory.memory_item import MemoryItem
from memory.provenance import is_doubted

OUTDATED = "(outdated since {day})"
"""Stands before the mark of the memory, so that it ends a line, or the entry of a daily note."""
DOUBTED = "(perhaps outdated)"
_SAID = r"(?:\((?:outdated since [0-9]{4}-[0-9]{2}-[0-9]{2}|perhaps outdated|no longer so: [^()\n]*)\) )?"


def mark_outdated_lines(documents: Sequence[Document], item: MemoryItem) -> list[tuple[Document, Document]]:
    """Each document that tells of the memory in another way than its status calls for, before and after.

    The version is the same. A memory that is active again loses its mark.
    """
    pairs = ((each, _mark_document(each, item)) for each in documents)
    return [(before, after) for before, after in pairs if after.sha256 != before.sha256]


def is_outdated(line: str) -> bool:
    """Whether a line of a document says that what it tells is over."""
    return bool(re.search(r"\(outdated since [0-9]{4}-[0-9]{2}-[0-9]{2}\)\s*(?:<!-- \S+ -->)?\s*$", line))


def _mark_document(document: Document, item: MemoryItem) -> Document:
    mark = memory_mark(item.memory_id)
    note = status_note(item)
    ended = f"{note} {mark}" if note else mark
    body = normalize_body(re.sub(_SAID + re.escape(mark), ended, document.body))
    return replace(document, body=body, sha256=digest(document.front, body))


def status_note(item: MemoryItem) -> str:
    """What stands behind the words of a memory that has ended or is in doubt; empty for any other."""
    if item.status == "active":
        note = note_of(item)
        return DOUBTED if is_doubted(item) else f"({note})" if note else ""
    return OUTDATED.format(day=(item.invalid_at or item.updated_at).date().isoformat())
