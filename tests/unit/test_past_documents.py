"""A turn that goes on from an earlier moment sees documents and names as they were then."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from brain.documents.past_documents import as_of_moment
from memory.documents.document import Document, DocumentDraft
from memory.memory_item import Author
from memory.ports import MemoryCore
from memory.session_state import SessionState
from memory.turns import Event
from tests.contract.builders import at
from tests.fakes import Leanings, resources_of
from tests.this_test import me, own_memory

BODY = "## 12:05 (user, scope: main)\n\nI live in Paris.\n\n## 12:30 (user, scope: main)\n\nI moved to Lyon.\n"


def a_document(kind: str, body: str, updated_at: datetime) -> Document:
    return Document(
        document_id=uuid4(), kind=kind, name="2026-03-01", front={}, body=body, version=1, sha256="",  # type: ignore[arg-type]
        updated_at=updated_at, author="evolution", reason="said so",
    )  # fmt: skip


def an_event(text: str) -> Event:
    return Event(
        event_id=uuid4(), session_id=uuid4(), position=0, role="user", speaker="user", text=text, sha256="",
        occurred_at=at(1), time_zone="UTC",
    )  # fmt: skip


async def seen(opened: SessionState) -> SessionState:
    return await as_of_moment(opened, resources_of(Leanings(memory=own_memory())), me(), "UTC")


async def test_a_note_tells_what_was_said_before_the_fork_and_nothing_later():
    note = a_document("daily_note", BODY, at(30))
    (shown,) = (await seen(SessionState(documents=(note,), as_of=at(10)))).documents
    assert shown.body == BODY.partition("## 12:30")[0]


async def test_a_document_is_as_it_was_and_one_begun_later_is_not_there(memory: MemoryCore):
    for minutes, body in ((5, "I live in Paris."), (30, "I live in Lyon.")):
        author = Author(operator="ann", reason="wrote it", idempotency_key=str(minutes), at=at(minutes))
        draft = DocumentDraft(kind="memory", name="MEMORY", body=body)
        saved = await memory.documents.save(me(), draft, minutes // 30, author)
    resources = resources_of(Leanings(memory=memory))
    opened = SessionState(documents=(saved,), as_of=at(10))
    (shown,) = (await as_of_moment(opened, resources, me(), "UTC")).documents
    assert shown.body.strip() == "I live in Paris."
    before = await as_of_moment(replace(opened, as_of=at(1)), resources, me(), "UTC")
    assert before.documents == ()


async def test_a_name_is_kept_where_words_from_before_the_fork_hold_it():
    slots = {"person": "Maud", "place": "Lyon"}
    opened = SessionState(window=(an_event("My sister Maud called."),), entity_slots=slots, as_of=at(10))
    assert (await seen(opened)).entity_slots == {"person": "Maud"}


async def test_at_the_threads_head_all_is_as_it_is():
    opened = SessionState(documents=(a_document("daily_note", BODY, at(30)),), entity_slots={"place": "Lyon"})
    assert await seen(opened) is opened
    later = replace(opened, as_of=at(30) + timedelta(seconds=1))
    assert (await seen(later)).documents == opened.documents
