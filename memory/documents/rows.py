"""The rows of a document in the recall index: one for each of its sections."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from uuid import UUID, uuid5

from language.passages import cut_passages
from language.terms import analyse
from memory.documents.document import Document, without_comments
from memory.index_rows import DERIVED_CONFIDENCE, IndexRow
from memory.scope import Scope

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")


def rows_of_document(scope: Scope, document: Document) -> list[IndexRow]:
    """The document's sections. A section keeps its id, and thereby its vector, as long as its words stay."""
    observed = _observation_time(document)
    ids = {section_id(document.document_id, text): text for text in sections(document.body)}
    return [_row(scope, document, (source_id, text), observed) for source_id, text in ids.items()]


def section_ids(document: Document) -> set[UUID]:
    """The ids of the rows that the document has in the index."""
    return {section_id(document.document_id, text) for text in sections(document.body)}


def section_id(document_id: UUID, text: str) -> UUID:
    """Of a section's document and words."""
    return uuid5(document_id, text)


def sections(body: str) -> Iterator[str]:
    """Each section's text behind the headings it stands under, a long one as its passages.

    What nobody reads (comments) is left out.
    """
    path: dict[int, str] = {}
    lines: list[str] = []
    for line in without_comments(body).splitlines():
        heading = _HEADING.fullmatch(line.rstrip())
        if heading is None:
            lines.append(line)
            continue
        yield from _pieces(path, lines)
        level, lines = len(heading[1]), []
        path = {depth: title for depth, title in path.items() if depth < level} | {level: heading[2].rstrip("# ")}
    yield from _pieces(path, lines)


def _pieces(path: dict[int, str], lines: list[str]) -> Iterator[str]:
    titles, text = [path[depth] for depth in sorted(path)], "\n".join(lines).strip()
    for passage in cut_passages(text) if text else ():
        title = " / ".join(filter(None, (*titles, passage.about)))
        piece = text[passage.start : passage.end]
        yield f"{title}\n{piece}" if title else piece


def _row(scope: Scope, document: Document, section: tuple[UUID, str], observed: datetime) -> IndexRow:
    """Brain's own writing: no reason for an action, and no wish of the person's."""
    source_id, text = section
    return IndexRow(
        source_id=source_id,
        lane="document",
        user_id=scope.user_id,
        session_id=None,
        role="assistant",
        speaker=document.name,
        category=document.kind,
        text=text,
        terms=analyse(text),
        observed_at=observed,
        valid_at=observed,
        recorded_at=document.updated_at,
        confidence=DERIVED_CONFIDENCE,
        provenance="analysis",
    )


def _observation_time(document: Document) -> datetime:
    """A daily note is about its day, whenever it was written."""
    if document.kind != "daily_note":
        return document.updated_at
    return datetime.combine(date.fromisoformat(document.name), time(12), tzinfo=UTC)
