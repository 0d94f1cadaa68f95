"""What documents promise."""

from dataclasses import replace
from uuid import uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.documents.document import (
    KEPT,
    NOTE_BYTES,
    Document,
    DocumentDraft,
    DocumentKind,
    document_id,
    prompt_document_ids,
)
from memory.documents.port import NoteEntry
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import Filters
from memory.scope import Scope
from tests.contract.builders import at, by_ann

FRONT = {"entity_type": "user", "tags": ["tea", "骑行"], "score": 1.0, "nested": {"b": None, "a": True}}


def a_profile(body: str = "# Ann\n\nDrinks green tea.\n", **front: object) -> DocumentDraft:
    return DocumentDraft(kind="user_profile", name="profile", body=body, front=front)


def an_entry(key: str, text: str = "Ann plans a trip to Lyon.", **more: object) -> NoteEntry:
    return NoteEntry(**({"key": key, "text": text, "at": at(), "source": "summary"} | more))  # type: ignore[arg-type]


def note_id(scope: Scope, day: str = "2026-03-01"):
    return document_id(scope, "daily_note", day)


async def saved(memory: MemoryCore, scope: Scope, *bodies: str) -> Document:
    document = None
    for version, body in enumerate(bodies):
        document = await memory.documents.save(scope, a_profile(body), version, by_ann(f"k{version}", minutes=version))
    assert document is not None
    return document


async def found(memory: MemoryCore, scope: Scope, question: str, **filters: object) -> list[str]:
    ask = RecallRequest(text=question, at=at(60), filters=Filters(lanes=("document",), **filters))  # type: ignore[arg-type]
    passed = await memory.index.candidates(scope, query_of(ask))
    return [each.candidate.text for each in rank([passed], find_policy())]


async def test_a_document_is_read_back_as_it_was_saved(memory: MemoryCore, scope: Scope):
    draft = DocumentDraft(kind="user_profile", name="profile", body="Drinks tea.\r\n\r\n喜欢骑行", front=FRONT)
    saved = await memory.documents.save(scope, draft, 0, by_ann("k"))
    read = await memory.documents.get(scope, saved.document_id)
    assert read == saved
    assert (read.body, read.version, read.author, read.reason) == (
        "Drinks tea.\n\n喜欢骑行\n",
        1,
        "user",
        "she said so",
    )
    assert (dict(read.front), list(read.front), read.updated_at) == (FRONT, list(FRONT), at())
    assert await memory.documents.find(scope, (saved.document_id, uuid4())) == [saved]


async def test_a_writer_who_saw_an_older_version_is_refused_and_nothing_is_overwritten(
    memory: MemoryCore, scope: Scope
):
    current = await saved(memory, scope, "one", "two")
    for expected in (0, 1, 3):
        with pytest.raises(BrainError, match=r"E_CONFLICT: user_profile/profile is at version 2"):
            await memory.documents.save(scope, a_profile("mine"), expected, by_ann("k9", minutes=9))
    assert await memory.documents.get(scope, current.document_id) == current
    assert len(await memory.documents.history(scope, current.document_id)) == 2


async def test_saving_what_stands_there_already_makes_no_version(memory: MemoryCore, scope: Scope):
    current = await saved(memory, scope, "one", "two")
    assert await memory.documents.save(scope, a_profile("two\n\n"), 1, by_ann("k9", minutes=9)) == current


async def test_a_change_of_the_front_matter_alone_is_a_change(memory: MemoryCore, scope: Scope):
    await saved(memory, scope, "one")
    changed = await memory.documents.save(scope, a_profile("one", tags=["tea"]), 1, by_ann("k9"))
    assert (changed.version, dict(changed.front)) == (2, {"tags": ["tea"]})


async def test_five_snapshots_of_a_profile_are_kept_beside_the_current_one(memory: MemoryCore, scope: Scope):
    current = await saved(memory, scope, *(f"text {number}" for number in range(9)))
    history = await memory.documents.history(scope, current.document_id)
    assert [each.version for each in history] == [4, 5, 6, 7, 8, 9]
    assert [each.body for each in history] == [f"text {number}\n" for number in range(3, 9)]
    assert KEPT["user_profile"] == KEPT["group_profile"] == 5


async def test_an_earlier_version_comes_back_as_a_new_one(memory: MemoryCore, scope: Scope):
    current = await saved(memory, scope, "one", "two", "three")
    back = await memory.documents.restore(scope, current.document_id, 1, by_ann("k9", minutes=9))
    assert (back.version, back.body, back.updated_at) == (4, "one\n", at(9))
    assert await memory.documents.get(scope, current.document_id) == back
    again = await memory.documents.restore(scope, current.document_id, 4, by_ann("k10", minutes=10))
    assert again == back


async def test_a_version_that_is_not_kept_cannot_be_restored(memory: MemoryCore, scope: Scope):
    current = await saved(memory, scope, *(f"text {number}" for number in range(9)))
    for version in (1, 10):
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.documents.restore(scope, current.document_id, version, by_ann("k"))


async def test_nobody_else_reads_or_changes_a_document(memory: MemoryCore, scope: Scope):
    mine = await saved(memory, scope, "one", "two")
    for stranger in (replace(scope, tenant_id=uuid4()), replace(scope, user_id=uuid4()), replace(scope, key="peer:x")):
        assert await memory.documents.find(stranger, (mine.document_id,)) == []
        assert await memory.documents.list_documents(stranger) == []
        assert await found(memory, stranger, "two") == []
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.documents.get(stranger, mine.document_id)
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.documents.history(stranger, mine.document_id)
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.documents.restore(stranger, mine.document_id, 1, by_ann("k"))
        theirs = await memory.documents.save(stranger, a_profile("theirs"), 0, by_ann("k"))
        assert theirs.document_id != mine.document_id
    assert await memory.documents.get(scope, mine.document_id) == mine


async def test_a_group_has_its_documents_once_whoever_writes(memory: MemoryCore, scope: Scope):
    ann = replace(scope, key="group:red")
    bob = replace(ann, user_id=uuid4())
    draft = DocumentDraft(kind="group_profile", name="profile", body="Bob bakes bread.")
    mine = await memory.documents.save(ann, draft, 0, by_ann("k"))
    assert await memory.documents.get(bob, mine.document_id) == mine
    theirs = await memory.documents.save(bob, replace(draft, body="Bob bakes cake."), 1, by_ann("k2"))
    assert (theirs.document_id, theirs.version) == (mine.document_id, 2)
    assert await found(memory, ann, "What does Bob bake?") == ["Bob bakes cake."]


async def test_documents_are_listed_by_kind_with_the_newest_days_first(memory: MemoryCore, scope: Scope):
    for day in (1, 2, 3):
        await memory.documents.append_note(scope, [an_entry(f"e{day}", at=at((day - 1) * 1440))], by_ann("k"))
    await saved(memory, scope, "one")
    names = [(each.kind, each.name) for each in await memory.documents.list_documents(scope)]
    assert names == [
        *(("daily_note", f"2026-03-0{day}") for day in (3, 2, 1)),
        ("user_profile", "profile"),
    ]
    assert len(await memory.documents.list_documents(scope, "daily_note", limit=2)) == 2


async def test_sections_are_found_by_recall_and_old_ones_are_not(memory: MemoryCore, scope: Scope):
    await saved(memory, scope, "# Ann\n\n## Drinks\n\nGreen tea.\n\n## Sports\n\nRowing on the lake.\n")
    assert (await found(memory, scope, "rowing"))[0] == "Ann / Sports\nRowing on the lake."
    await memory.documents.save(scope, a_profile("# Ann\n\n## Drinks\n\nGreen tea.\n"), 1, by_ann("k"))
    assert await found(memory, scope, "rowing lake") == []
    assert await found(memory, scope, "tea", categories=("user_profile",)) == ["Ann / Drinks\nGreen tea."]
    assert await found(memory, scope, "tea", categories=("daily_note",)) == []


async def test_a_section_that_stays_keeps_its_vector(memory: MemoryCore, scope: Scope):
    await saved(memory, scope, "# Drinks\n\nGreen tea.\n")
    waiting = await memory.index.rows_without_vector(scope, "test:m", 10)
    assert [row.lane for row in waiting] == ["document"]
    await memory.index.save_vectors(scope, "test:m", waiting, [(1.0, 0.0)])
    await memory.documents.save(scope, a_profile("# Drinks\n\nGreen tea.\n\n# Pets\n\nA cat.\n"), 1, by_ann("k"))
    assert [row.text for row in await memory.index.rows_without_vector(scope, "test:m", 10)] == ["Pets\nA cat."]


async def test_a_rebuilt_index_has_the_sections_again(memory: MemoryCore, scope: Scope):
    await saved(memory, scope, "# Drinks\n\nGreen tea.\n\n# Pets\n\nA cat called Schnurri.\n")
    before = await found(memory, scope, "tea cat")
    assert await memory.index.rebuild(scope) == 2
    assert await found(memory, scope, "tea cat") == before


async def test_an_entry_stands_in_the_note_of_its_local_day_with_its_scope(memory: MemoryCore, scope: Scope):
    late = an_entry("e1", at=at(13 * 60), time_zone="Asia/Shanghai")
    assert await memory.documents.append_note(scope, [late], by_ann("k")) == ["added"]
    (note,) = await memory.documents.list_documents(scope, "daily_note")
    assert (note.name, note.body) == ("2026-03-02", "## 09:00 (summary, scope: main)\n\nAnn plans a trip to Lyon.\n")


async def test_an_entry_is_added_once_even_when_a_person_took_it_out(memory: MemoryCore, scope: Scope):
    entries = [an_entry("e1"), an_entry("e2", "Bob called."), an_entry("e1")]
    assert await memory.documents.append_note(scope, entries, by_ann("k")) == ["added", "added", "known"]
    assert await memory.documents.append_note(scope, entries, by_ann("k")) == ["known", "known", "known"]
    note = await memory.documents.get(scope, note_id(scope))
    assert (note.version, note.body.count("Lyon")) == (1, 1)
    emptied = DocumentDraft(kind="daily_note", name=note.name, body="")
    await memory.documents.save(scope, emptied, note.version, by_ann("k2"))
    assert await memory.documents.append_note(scope, entries, by_ann("k")) == ["known", "known", "known"]
    assert (await memory.documents.get(scope, note_id(scope))).body == ""


async def test_what_does_not_fit_into_the_day_is_refused_and_may_come_again(memory: MemoryCore, scope: Scope):
    entries = [an_entry("big", "x" * (NOTE_BYTES - 200)), an_entry("big2", "y" * 400), an_entry("small", "z")]
    assert await memory.documents.append_note(scope, entries, by_ann("k")) == ["added", "full", "added"]
    note = await memory.documents.get(scope, note_id(scope))
    assert len(note.body.encode()) <= NOTE_BYTES
    await memory.documents.save(scope, DocumentDraft(kind="daily_note", name=note.name, body="cut"), 1, by_ann("k2"))
    assert await memory.documents.append_note(scope, entries, by_ann("k")) == ["known", "added", "known"]


async def test_appending_takes_no_snapshot_and_editing_does(memory: MemoryCore, scope: Scope):
    for number in range(3):
        await memory.documents.append_note(scope, [an_entry(f"e{number}")], by_ann("k"))
    assert [each.version for each in await memory.documents.history(scope, note_id(scope))] == [3]
    edited = DocumentDraft(kind="daily_note", name="2026-03-01", body="Shorter.")
    await memory.documents.save(scope, edited, 3, by_ann("k"))
    assert [each.version for each in await memory.documents.history(scope, note_id(scope))] == [3, 4]


@pytest.mark.parametrize(
    ("kind", "name"),
    [("daily_note", "2026-02-30"), ("daily_note", "../etc"), ("memory", "memory"), ("user_profile", "bob")],
)
def test_a_name_that_does_not_fit_its_kind_is_refused(kind: DocumentKind, name: str):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        DocumentDraft(kind=kind, name=name, body="x")


@pytest.mark.parametrize(
    "values",
    [
        {"body": "a\x00b"},
        {"body": "\ud800"},
        {"body": "x" * 70_000},
        {"front": {"a": "\x00"}},
        {"front": {"a": float("nan")}},
        {"front": {"a": object()}},
        {"front": {1: "a"}},
        {"front": {"a": "x" * 20_000}},
    ],
)
def test_what_no_document_can_hold_is_refused_by_code(values: dict[str, object]):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        DocumentDraft(**({"kind": "memory", "name": "MEMORY", "body": "x"} | values))  # type: ignore[arg-type]


async def test_the_standing_documents_come_with_the_session_in_the_one_round_trip(memory: MemoryCore, scope: Scope):
    profile = await saved(memory, scope, "one")
    await memory.documents.append_note(scope, [an_entry("e1"), an_entry("e2", at=at(-1440))], by_ann("k"))
    await memory.documents.append_note(scope, [an_entry("old", at=at(-2880))], by_ann("k"))
    opened = await memory.log.open(scope, uuid4(), 10, prompt_document_ids(scope, at().date()))
    assert {each.name: each for each in opened.documents}["profile"] == profile
    assert sorted(each.name for each in opened.documents) == ["2026-02-28", "2026-03-01", "profile"]
    stranger = replace(scope, user_id=uuid4())
    assert (await memory.log.open(stranger, uuid4(), 10, prompt_document_ids(scope, at().date()))).documents == ()
