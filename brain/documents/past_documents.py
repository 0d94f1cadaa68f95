"""The documents and names of a session as they were at an earlier moment, for a turn that goes on from there."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from brain.resources import Resources
from memory.documents.daily_notes import entries_until
from memory.documents.document import Document
from memory.scope import Scope
from memory.session_state import SessionState


async def as_of_moment(opened: SessionState, resources: Resources, scope: Scope, time_zone: str) -> SessionState:
    """The session without what was said after the moment at which memory is read; as it is where that is now.

    A name of a person or thing is kept where words from before the moment hold it.
    """
    if opened.as_of is None:
        return opened
    found = [await _document_as_of(each, opened.as_of, resources, scope, time_zone) for each in opened.documents]
    return replace(
        opened,
        documents=tuple(each for each in found if each is not None),
        entity_slots={name: value for name, value in opened.entity_slots.items() if _is_known(value, opened)},
    )


async def _document_as_of(
    document: Document, moment: datetime, resources: Resources, scope: Scope, time_zone: str
) -> Document | None:
    """The last version from before the moment, None where it was begun later; of a note the entries from before it."""
    if document.updated_at <= moment:
        return document
    if document.kind == "daily_note":
        body = entries_until(document.body, document.name, moment, time_zone)
        return replace(document, body=body) if body.strip() else None
    versions = await resources.memory.documents.history(scope, document.document_id)
    earlier = [each for each in versions if each.updated_at <= moment]
    return max(earlier, key=lambda each: each.version, default=None)


def _is_known(value: str, opened: SessionState) -> bool:
    said: Sequence[str] = [*(event.text for event in opened.window), *opened.summaries]
    return any(value.casefold() in text.casefold() for text in said)
