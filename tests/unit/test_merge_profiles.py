"""The step of evolution that brings a profile up to what is remembered."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from blockbuster import blockbuster_ctx
from langgraph.runtime import Runtime

from brain.documents.profile_refresh import refresh_profile
from brain.job_context import JobContext
from evolution.merge_profiles import merge_profiles
from evolution.state import EvolutionState, TurnRecord
from memory.documents.document import Document, DocumentDraft
from memory.errors import BrainError
from memory.memory_item import Author
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, by_ann, cited, said
from tests.fakes import NOW, Leanings, resources_of
from tests.this_test import me


def red(user: str = "me") -> Scope:
    return replace(me(user), key="group:red")


def a_run(memory: MemoryCore, scope: Scope | None = None) -> Runtime[JobContext]:
    return Runtime(context=JobContext(scope=scope or me(), resources=resources_of(Leanings(memory=memory))))


def written(zone: str = "UTC") -> EvolutionState:
    turn = TurnRecord(
        event_id="e", operation_id="o", session_id="s", role="user", speaker="user", text="", sha256="", at="",
        time_zone=zone,
    )  # fmt: skip
    return EvolutionState(session_id="s", said=[turn], written={"o": [str(UUID(int=1))]})


async def profile_of(memory: MemoryCore, scope: Scope | None = None) -> list[Document]:
    scope = scope or me()
    return await memory.documents.list_documents(scope, "group_profile" if scope.is_group else "user_profile")


async def test_what_was_written_enters_the_profile_and_the_state_is_left_alone(memory: MemoryCore):
    await memory.items.write(me(), a_draft(), by_ann("k1"))
    assert await merge_profiles(written(), a_run(memory)) == {}
    (document,) = await profile_of(memory)
    assert "- The user likes green tea (2026-03-01)" in document.body
    assert (document.version, document.author) == (1, "brain")


async def test_a_snapshot_is_kept_when_the_profile_changes_and_nothing_happens_when_it_does_not(memory: MemoryCore):
    await memory.items.write(me(), a_draft(), by_ann("k1"))
    await merge_profiles(written(), a_run(memory))
    await merge_profiles(written(), a_run(memory))
    await memory.items.write(me(), a_draft("coffee"), by_ann("k2"))
    await merge_profiles(written(), a_run(memory))
    (document,) = await profile_of(memory)
    versions = await memory.documents.history(me(), document.document_id)
    assert [("coffee" in each.body, each.version) for each in versions] == [(False, 1), (True, 2)]


async def test_a_turn_that_wrote_nothing_touches_no_profile(memory: MemoryCore):
    await memory.items.write(me(), a_draft(), by_ann("k1"))
    assert await merge_profiles(EvolutionState(session_id="s", written={"o": []}), a_run(memory)) == {}
    assert await profile_of(memory) == []


async def test_each_speaker_of_a_group_is_told_apart_by_the_turns_that_were_cited(memory: MemoryCore):
    session = a_session()
    bob = red("bob")
    for scope, speaker, thing in ((red(), "ann", "tea"), (bob, "bob", "bread")):
        turn = said(f"I like {thing}", speaker=speaker)
        await memory.log.capture(scope, a_turn(turn, session=session))
        await memory.items.write(scope, a_draft(thing, citations=(cited(turn, thing),)), by_ann(thing))
    await merge_profiles(written(), a_run(memory, bob))
    (document,) = await profile_of(memory, red())
    assert document.body.index("## ann") < document.body.index("likes tea") < document.body.index("## bob")
    assert document.body.index("## bob") < document.body.index("likes bread")
    assert await profile_of(memory, me()) == []


async def test_a_profile_that_others_keep_changing_is_left_to_them(memory: MemoryCore):

    class Busy:
        async def find(self, *_: object) -> list[Document]:
            return []

        async def save(self, *_: object) -> Document:
            raise BrainError("E_CONFLICT", "moved on")

    await memory.items.write(me(), a_draft(), by_ann("k1"))
    busy = replace(memory, documents=Busy())  # type: ignore[arg-type]
    assert await merge_profiles(written(), a_run(busy)) == {"degraded": ["profile_conflict"]}


async def test_somebody_elses_edit_in_between_is_merged_not_lost(memory: MemoryCore):
    class Edited:
        raced = False

        async def find(self, scope: Scope, ids: Any) -> list[Document]:
            return await memory.documents.find(scope, ids)

        async def save(self, scope: Scope, draft: DocumentDraft, expected: int, author: Author) -> Document:
            if not self.raced:
                self.raced = True
                by_hand = DocumentDraft(kind="user_profile", name="profile", body="By hand.")
                await memory.documents.save(scope, by_hand, 0, by_ann("hand", minutes=1))
            return await memory.documents.save(scope, draft, expected, author)

    await memory.items.write(me(), a_draft(), by_ann("k1"))
    assert await merge_profiles(written(), a_run(replace(memory, documents=Edited()))) == {}  # type: ignore[arg-type]
    (document,) = await profile_of(memory)
    assert document.body.startswith("By hand.\n")
    assert "green tea" in document.body
    assert document.updated_at == NOW


async def test_days_go_on_being_told_in_the_persons_zone_when_no_turn_names_one(memory: MemoryCore):
    await memory.items.write(me(), a_draft(observed_at=NOW.replace(hour=20)), by_ann("k1"))
    await merge_profiles(written("Asia/Shanghai"), a_run(memory))
    await memory.items.write(me(), a_draft("coffee"), by_ann("k2"))
    assert await refresh_profile(resources_of(Leanings(memory=memory)), me()) is not None
    (document,) = await profile_of(memory)
    assert "- The user likes green tea (2026-03-02)" in document.body
    edited = DocumentDraft(kind="user_profile", name="profile", body="", front={"time_zone": "Mars/Olympus"})
    await memory.documents.save(me(), edited, document.version, by_ann("k3"))
    resources = resources_of(Leanings(memory=memory))
    with blockbuster_ctx() as blocking:  # as the agent server has it, which refuses to list folders in its loop
        blocking.functions["os.stat"].deactivate()
        again = await refresh_profile(resources, me())
    assert again is not None
    assert (again.front["time_zone"], "(2026-03-01)" in again.body) == ("UTC", True)
