"""Beginning a turn."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from brain.media.message import MAX_CHARACTERS
from brain.state import State
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.session_state import SessionState
from nodes.open_session import open_session
from tests.fakes import NOW, Leanings, a_run, a_settings
from tests.this_test import me, own_tenant

pytestmark = pytest.mark.usefixtures("memory")


def hears(text: str) -> State:
    return State(messages=[HumanMessage(text, id="m1")])


async def test_a_turn_gets_its_names_and_its_time():
    update = await open_session(hears("hello"), a_run(time_zone="Europe/Paris"))
    assert update["turn"] == {
        "operation_id": "00000000-0000-0000-0000-000000000001",
        "session_id": update["turn"]["session_id"],
        "text": "hello",
        "at": NOW.isoformat(),
        "time_zone": "Europe/Paris",
        "turns_before": 0,
        "own": ["00000000-0000-0000-0000-000000000002"],
        "thread": "t1",
        "parent": "",
        "message": "m1",
        "as_of": "",
        "learnt": True,
        "copied": False,
    }


async def test_a_turn_begins_with_a_clean_slate():
    update = await open_session(hears("hello"), a_run())
    cleared = {key: update[key] for key in ("memories", "rejected", "queries", "degraded", "passes", "prompt", "ended")}
    assert cleared == {
        "memories": [],
        "rejected": [],
        "queries": [],
        "degraded": None,
        "passes": None,
        "prompt": None,
        "ended": False,
    }


async def test_the_session_of_the_same_name_is_found_again():
    run = a_run(user="ann", session="s")
    await open_session(hears("earlier"), run)
    again = await open_session(hears("more"), run)
    assert [event.text for event in again["opened"].window] == ["earlier"]
    assert again["turn"]["turns_before"] == 1


async def test_the_words_are_in_the_log_before_anything_answers_them(memory: MemoryCore):
    update = await open_session(hears("hello"), a_run(user="ann"))
    (event,) = await memory.log.turn(me("ann"), UUID(update["turn"]["operation_id"]))
    assert (event.text, event.occurred_at, [str(event.event_id)]) == ("hello", NOW, update["turn"]["own"])


async def test_a_step_that_is_tried_again_accepts_the_words_once():
    run = a_run()
    first, again = await open_session(hears("hello"), run), await open_session(hears("hello"), run)
    assert again["turn"]["operation_id"] == first["turn"]["operation_id"]
    assert again["opened"].window == ()


async def test_an_edited_message_that_keeps_its_id_is_another_turn():
    run = a_run()
    first, again = await open_session(hears("hello"), run), await open_session(hears("hello there"), run)
    assert again["turn"]["operation_id"] != first["turn"]["operation_id"]


async def test_words_that_cannot_be_taken_back_half_way_are_accepted_though_the_run_is_cancelled(memory: MemoryCore):
    gate = asyncio.Event()

    class Slow:
        async def accept(self, *asked: Any) -> SessionState:
            await gate.wait()
            return await memory.log.accept(*asked)

    leanings = Leanings(memory=replace(memory, log=Slow()))  # type: ignore[arg-type]
    task = asyncio.create_task(open_session(hears("hello"), a_run(leanings)))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.text for event in await memory.log.turn(me(), UUID(int=1))] == ["hello"]


@pytest.mark.parametrize(
    "other",
    [{"user": "bob"}, {"tenant": "other tenant"}, {"session": "s2"}, {"channel": "red"}],
)
async def test_another_person_tenant_name_or_channel_is_another_session(other: dict[str, Any]):
    told: dict[str, Any] = {"user": "ann", "session": "s"}
    mine = await open_session(hears("hello"), a_run(**told))
    theirs = await open_session(hears("hello"), a_run(**(told | other)))
    assert mine["turn"]["session_id"] != theirs["turn"]["session_id"]


async def test_a_group_shares_its_session():
    ann = await open_session(hears("hello"), a_run(user="ann", channel="red", session="s"))
    bob = await open_session(hears("hello"), a_run(user="bob", channel="red", session="s"))
    assert ann["turn"]["session_id"] == bob["turn"]["session_id"]


async def test_a_verified_identity_overrides_what_the_context_claims():
    claimed: dict[str, Any] = {"tenant": "victim", "user": "boss", "session": "s"}
    forged = await open_session(hears("hi"), a_run(verified=a_verified_ann(), **claimed))
    honest = await open_session(hears("hi"), a_run(user="ann", session="s"))
    assert forged["turn"]["session_id"] == honest["turn"]["session_id"]


async def test_a_verified_identity_enters_only_its_own_channels():
    await open_session(hears("hi"), a_run(verified=a_verified_ann(channels=["red"]), channel="red"))
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        await open_session(hears("hi"), a_run(verified=a_verified_ann(channels=["red"]), channel="blue"))


def a_verified_ann(channels: list[str] | None = None) -> dict[str, object]:
    named = {"tenant": own_tenant(), "user": "ann", "org_tier": "", "role": ""}
    return {**named, "roles": [], "channels": channels or []}


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([], "begins with a message"),
        ([AIMessage("hi")], "begins with a message"),
        ([HumanMessage("   ")], "empty"),
        ([HumanMessage("a\x00b")], "NUL"),
        ([HumanMessage("\ud800")], "Unicode"),
        ([HumanMessage("x" * (MAX_CHARACTERS + 1))], "characters"),
    ],
)
async def test_what_cannot_be_a_turn_is_refused_by_code(messages: list[HumanMessage], why: str):
    with pytest.raises(BrainError, match=f"E_BAD_REQUEST.*{why}"):
        await open_session(State(messages=list(messages)), a_run())


async def test_a_time_zone_that_does_not_exist_is_refused():
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        await open_session(hears("hi"), a_run(time_zone="Mars/Olympus"))


async def test_where_tokens_are_asked_for_an_unverified_caller_is_refused():
    run = a_run(Leanings(settings=a_settings(auth_jwt_secret="x" * 32)), verified={"identity": "studio"}, user="boss")
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        await open_session(hears("hi"), run)
