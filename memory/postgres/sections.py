"""The sections of documents in the recall index on PostgreSQL."""

from collections.abc import Iterable, Sequence

from memory.documents.document import Document
from memory.documents.rows import rows_of_document, section_ids
from memory.index_rows import DERIVED_CONFIDENCE, IndexRow
from memory.postgres.database import scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.index_params import terms_params
from memory.scope import Scope


def index_documents(session: DatabaseSession, scope: Scope, documents: Iterable[Document]) -> int:
    """Make every section of the documents findable; the number of rows."""
    return sum([_index(session, scope, document, rows_of_document(scope, document)) for document in documents])


def index_changes(session: DatabaseSession, scope: Scope, held: Document | None, document: Document) -> None:
    """Only what changed since ``held``: a section that stays keeps its vector.

    What the index has of the document beyond that, such as sections that an older version cut differently, goes.
    """
    rows = rows_of_document(scope, document)
    if held:
        kept = {row.source_id for row in rows}
        dropped = {"dropped": list(section_ids(held) - kept), "kept": list(kept)}
        owner = {"kind": document.kind, "name": document.name}
        session.execute("drop_sections", scope_params(scope) | owner | dropped)
    _index(session, scope, document, rows)


def _index(session: DatabaseSession, scope: Scope, document: Document, rows: Sequence[IndexRow]) -> int:
    if rows:
        session.execute("index_sections", scope_params(scope) | _params(document, rows))
    return len(rows)


def _params(document: Document, rows: Sequence[IndexRow]) -> dict[str, object]:
    return terms_params(rows) | {
        "texts": [row.text for row in rows],
        "role": rows[0].role,
        "speaker": document.name,
        "category": document.kind,
        "observed_at": rows[0].observed_at,
        "recorded_at": document.updated_at,
        "confidence": DERIVED_CONFIDENCE,
        "provenance": rows[0].provenance,
    }
