"""A profile out of memories, and the node that brings it up to date."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from langgraph.runtime import Runtime

from brain.documents.profile import BEGIN, END, SECTION_BYTES, Remembered, profile
from brain.documents.refresh import refresh_profile
from brain.evolution.state import EvolutionState, Evolving, Said
from memory.contracts import Author, MemoryItem
from memory.document import DOCUMENT_BYTES, Document, DocumentDraft, digest, document_id, memory_mark
from memory.errors import BrainError
from memory.in_memory import in_memory
from memory.ports import MemoryCore
from memory.scope import Scope
from nodes.evolution.merge_profiles import merge_profiles
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.fakes import NOW, Leanings, resources_of

ANN = Scope(tenant_id=UUID(int=1), user_id=UUID(int=2))
RED = replace(ANN, key="group:red")


def an_item(number: int, content: str, **values: Any) -> MemoryItem:
    known: dict[str, Any] = {
        "memory_id": UUID(int=number),
        "user_id": ANN.user_id,
        "memory_type": "preference",
        "content": content,
        "valid_at": NOW,
        "invalid_at": None,
        "confidence": 0.9,
        "source_sessions": (),
        "superseded_by": None,
        "version": 1,
        "provenance": {"level": "confirmed_by_user", "events": [str(UUID(int=100 + number))]},
        "epistemic_type": "preference",
        "subject": "user",
        "predicate": "likes",
        "object": content,
        "negated": False,
        "category": "drink_preference",
        "slot": "user|likes",
        "status": "active",
        "stale": False,
        "certainty": 0.9,
        "observed_at": NOW,
        "created_at": NOW,
        "updated_at": NOW + timedelta(minutes=number),
        "last_validated_at": None,
    }
    return MemoryItem(**(known | values))


def told(*items: MemoryItem, **more: Any) -> Remembered:
    return Remembered(items=items, at=NOW + timedelta(days=1), **more)


def held(draft: DocumentDraft | None, body: str | None = None, **front: object) -> Document:
    assert draft is not None
    changed = replace(draft, body=draft.body if body is None else body, front={**draft.front, **front})
    return Document(
        document_id=document_id(ANN, draft.kind, draft.name),
        kind=draft.kind,
        name=draft.name,
        front=changed.front,
        body=changed.body,
        version=1,
        sha256=digest(changed.front, changed.body),
        updated_at=NOW,
        author="brain",
        reason="test",
    )


TEA = an_item(1, "The user likes green tea")
HOME = an_item(2, "用户住在杭州", category="home", predicate="lives_in", object="杭州")


def test_a_profile_tells_what_is_remembered_by_subject_matter_with_dates():
    draft = profile(ANN, None, told(TEA, HOME))
    assert draft is not None
    assert (draft.kind, draft.name) == ("user_profile", "profile")
    assert draft.body == (
        f"# Profile\n\n{BEGIN}\n"
        f"## drink preference\n\n- The user likes green tea (2026-03-01) {memory_mark(UUID(int=1))}\n\n"
        f"## home\n\n- 用户住在杭州 (2026-03-01) {memory_mark(UUID(int=2))}\n\n"
        f"{END}\n"
    )
    assert draft.front == {
        "entity_type": "user",
        "entity_id": str(ANN.user_id),
        "name": "",
        "tags": ["drink_preference", "home"],
        "updated_at": "2026-03-01T12:02:00+00:00",
        "source_event_id": str(UUID(int=102)),
        "time_zone": "UTC",
    }


def test_days_are_those_of_the_persons_own_zone():
    late = an_item(1, "Moved", valid_at=NOW.replace(hour=20))
    draft = profile(ANN, None, told(late, time_zone="Asia/Shanghai"))
    assert draft is not None
    assert "- Moved (2026-03-02)" in draft.body
    assert draft.front["updated_at"] == "2026-03-01T20:01:00+08:00"


def test_a_name_that_was_told_is_a_field_and_not_the_title_which_would_outlive_it():
    draft = profile(ANN, None, told(an_item(3, "The user's name is Ann", predicate="name", object="Ann", category="")))
    assert draft is not None
    assert draft.body.startswith("# Profile\n")
    assert (draft.front["name"], draft.front["tags"]) == ("Ann", [])
    assert "## other\n" in draft.body


@pytest.mark.parametrize(
    "values",
    [
        {"status": "superseded"},
        {"stale": True},
        {"epistemic_type": "outdated"},
        {"confidence": 0.4},
        {"invalid_at": NOW + timedelta(hours=1)},
    ],
)
def test_what_does_not_hold_now_is_left_out(values: dict[str, Any]):
    draft = profile(ANN, None, told(TEA, replace(HOME, **values)))
    assert draft is not None
    assert "杭州" not in draft.body
    assert profile(ANN, None, told(replace(HOME, **values))) is None


def test_nothing_new_makes_no_new_version_even_when_a_memory_was_confirmed_again():
    first = held(profile(ANN, None, told(TEA, HOME)))
    assert profile(ANN, first, told(HOME, TEA)) is None
    assert profile(ANN, first, told(HOME, replace(TEA, updated_at=NOW + timedelta(days=3)))) is None


def test_what_a_person_wrote_around_the_section_stays_word_for_word():
    first = profile(ANN, None, told(TEA))
    assert first is not None
    body = f"# Ann, my friend\n\nShe is kind.\n\n{first.body}\n## Later\n\nAsk about Lyon.\n"
    draft = profile(ANN, held(first, body, pronouns="she", name="Annie"), told(HOME))
    assert draft is not None
    assert draft.body.startswith("# Ann, my friend\n\nShe is kind.\n\n# Profile\n")
    assert draft.body.endswith(f"{END}\n\n## Later\n\nAsk about Lyon.\n")
    assert "green tea" not in draft.body
    assert (draft.front["pronouns"], draft.front["name"]) == ("she", "Annie")


def test_a_text_without_a_section_gets_one_at_its_end():
    draft = profile(ANN, held(profile(ANN, None, told(TEA)), "All mine.\n"), told(HOME))
    assert draft is not None
    assert draft.body.startswith(f"All mine.\n\n{BEGIN}\n")


def test_a_section_that_lost_its_end_swallows_nothing_that_a_person_wrote():
    first = profile(ANN, None, told(TEA))
    assert first is not None
    broken = held(first, first.body.replace(f"{END}\n", "") + "Written by hand.\n")
    once = profile(ANN, broken, told(HOME))
    assert once is not None
    again = profile(ANN, held(once), told(HOME, TEA))
    assert again is not None
    for draft in (once, again):
        assert draft.body.count("Written by hand.") == 1
        assert draft.body.count("杭州") == 1


def test_a_copied_section_is_not_kept_twice():
    first = profile(ANN, None, told(TEA))
    assert first is not None
    draft = profile(ANN, held(first, f"{first.body}\nBetween.\n\n{first.body}"), told(HOME))
    assert draft is not None
    assert (draft.body.count(BEGIN), draft.body.count("杭州"), draft.body.count("Between.")) == (1, 1, 1)


def test_no_memory_can_end_the_section_or_hide_what_follows():
    hostile = an_item(4, f"x {END}\n# y <!-- z", category="<!-- c")
    draft = profile(ANN, None, told(hostile, HOME))
    assert draft is not None
    assert (draft.body.count(END), draft.body.count("<!--"), draft.body.count("-->")) == (1, 4, 4)
    assert draft.body.splitlines()[-1] == END
    assert profile(ANN, held(draft), told(hostile, HOME)) is None


def test_a_profile_never_grows_too_long_to_be_saved():
    many = [an_item(number, f"{number} " + "忆" * 400) for number in range(1, 400)]
    draft = profile(ANN, None, told(*many))
    assert draft is not None
    assert len(draft.body.encode()) <= SECTION_BYTES + 1_000
    assert "- 399 " in draft.body
    full = held(draft, "x" * (DOCUMENT_BYTES - 600))
    squeezed = profile(ANN, full, told(*many))
    assert squeezed is not None
    assert "忆" not in squeezed.body


def test_a_group_has_a_section_for_each_speaker():
    bob = an_item(5, "The user bakes bread", category="")
    spoken = {str(UUID(int=101)): "ann", str(UUID(int=105)): "Bob"}
    draft = profile(RED, None, told(bob, TEA, speakers=spoken))
    assert draft is not None
    assert (draft.kind, draft.front["entity_type"], draft.front["entity_id"], draft.front["name"]) == (
        "group_profile",
        "group",
        "red",
        "red",
    )
    lines = [line.partition(" <!--")[0] for line in draft.body.splitlines() if line and not line.startswith("<!--")]
    assert lines == [
        "# red",
        "## ann",
        "### drink preference",
        "- The user likes green tea (2026-03-01)",
        "## Bob",
        "### other",
        "- The user bakes bread (2026-03-01)",
    ]


def a_run(memory: MemoryCore, scope: Scope = ANN) -> Runtime[Evolving]:
    return Runtime(context=Evolving(scope=scope, resources=resources_of(Leanings(memory=memory))))


def written(zone: str = "UTC") -> EvolutionState:
    turn = Said(
        event_id="e", operation_id="o", session_id="s", role="user", speaker="user", text="", sha256="", at="",
        time_zone=zone,
    )  # fmt: skip
    return EvolutionState(session_id="s", said=[turn], written={"o": [str(UUID(int=1))]})


async def profile_of(memory: MemoryCore, scope: Scope = ANN) -> list[Document]:
    return await memory.documents.listed(scope, "group_profile" if scope.is_group else "user_profile")


async def test_what_was_written_enters_the_profile_and_the_state_is_left_alone():
    memory = in_memory()
    await memory.items.write(ANN, a_draft(), by_ann("k1"))
    assert await merge_profiles(written(), a_run(memory)) == {}
    (document,) = await profile_of(memory)
    assert "- The user likes green tea (2026-03-01)" in document.body
    assert (document.version, document.author) == (1, "brain")


async def test_a_snapshot_is_kept_when_the_profile_changes_and_nothing_happens_when_it_does_not():
    memory = in_memory()
    await memory.items.write(ANN, a_draft(), by_ann("k1"))
    await merge_profiles(written(), a_run(memory))
    await merge_profiles(written(), a_run(memory))
    await memory.items.write(ANN, a_draft("coffee"), by_ann("k2"))
    await merge_profiles(written(), a_run(memory))
    (document,) = await profile_of(memory)
    versions = await memory.documents.history(ANN, document.document_id)
    assert [("coffee" in each.body, each.version) for each in versions] == [(False, 1), (True, 2)]


async def test_a_turn_that_wrote_nothing_touches_no_profile():
    memory = in_memory()
    await memory.items.write(ANN, a_draft(), by_ann("k1"))
    assert await merge_profiles(EvolutionState(session_id="s", written={"o": []}), a_run(memory)) == {}
    assert await profile_of(memory) == []


async def test_each_speaker_of_a_group_is_told_apart_by_the_turns_that_were_cited():
    memory, session = in_memory(), a_session()
    bob = replace(RED, user_id=UUID(int=3))
    for scope, speaker, thing in ((RED, "ann", "tea"), (bob, "bob", "bread")):
        turn = said(f"I like {thing}", speaker=speaker)
        await memory.log.capture(scope, a_turn(turn, session=session))
        await memory.items.write(scope, a_draft(thing, citations=(cited(turn, thing),)), by_ann(thing))
    await merge_profiles(written(), a_run(memory, bob))
    (document,) = await profile_of(memory, RED)
    assert document.body.index("## ann") < document.body.index("likes tea") < document.body.index("## bob")
    assert document.body.index("## bob") < document.body.index("likes bread")
    assert await profile_of(memory, ANN) == []


async def test_a_profile_that_others_keep_changing_is_left_to_them():
    memory = in_memory()

    class Busy:
        async def find(self, *_: object) -> list[Document]:
            return []

        async def save(self, *_: object) -> Document:
            raise BrainError("E_CONFLICT", "moved on")

    await memory.items.write(ANN, a_draft(), by_ann("k1"))
    busy = replace(memory, documents=Busy())  # type: ignore[arg-type]
    assert await merge_profiles(written(), a_run(busy)) == {"degraded": ["profile_conflict"]}


async def test_somebody_elses_edit_in_between_is_merged_not_lost():
    memory, core = in_memory(), in_memory()

    class Edited:
        raced = False

        async def find(self, scope: Scope, ids: Any) -> list[Document]:
            return await core.documents.find(scope, ids)

        async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
            if not self.raced:
                self.raced = True
                by_hand = DocumentDraft(kind="user_profile", name="profile", body="By hand.")
                await core.documents.save(scope, by_hand, 0, by_ann("hand", minutes=1))
            return await core.documents.save(scope, draft, expected, author)

    await memory.items.write(ANN, a_draft(), by_ann("k1"))
    assert await merge_profiles(written(), a_run(replace(memory, documents=Edited()))) == {}  # type: ignore[arg-type]
    (document,) = await profile_of(core)
    assert document.body.startswith("By hand.\n")
    assert "green tea" in document.body
    assert document.updated_at == NOW
    assert at() == NOW


async def test_days_go_on_being_told_in_the_persons_zone_when_no_turn_names_one():
    memory = in_memory()
    await memory.items.write(ANN, a_draft(valid_at=NOW.replace(hour=20)), by_ann("k1"))
    await merge_profiles(written("Asia/Shanghai"), a_run(memory))
    await memory.items.write(ANN, a_draft("coffee"), by_ann("k2"))
    assert await refresh_profile(resources_of(Leanings(memory=memory)), ANN) is not None
    (document,) = await profile_of(memory)
    assert "- The user likes green tea (2026-03-02)" in document.body
    edited = DocumentDraft(kind="user_profile", name="profile", body="", front={"time_zone": "Mars/Olympus"})
    await memory.documents.save(ANN, edited, document.version, by_ann("k3"))
    again = await refresh_profile(resources_of(Leanings(memory=memory)), ANN)
    assert again is not None
    assert (again.front["time_zone"], "(2026-03-01)" in again.body) == ("UTC", True)
