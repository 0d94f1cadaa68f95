"""Marks the lines of documents whose memory has ended: they stay as a part of the past."""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.contracts import MemoryItem
from memory.documents.document import Document, digest, memory_mark, normalize_body

OUTDATED = "(outdated since {day})"
"""Stands before the mark of the memory, so that it ends a line, or the entry of a daily note."""
_SAID = r"(?:\(outdated since [0-9]{4}-[0-9]{2}-[0-9]{2}\) )?"


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
    ended = f"{_outdated_note(item)} {mark}" if item.status != "active" else mark
    body = normalize_body(re.sub(_SAID + re.escape(mark), ended, document.body))
    return replace(document, body=body, sha256=digest(document.front, body))


def _outdated_note(item: MemoryItem) -> str:
    return OUTDATED.format(day=(item.invalid_at or item.updated_at).date().isoformat())
