"""What a crash leaves of a thread: no turn is left behind, none is answered twice, and the thread tells each once."""
# pyright: reportUnknownMemberType=false, reportTypedDictNotRequiredAccess=false
# LangGraph leaves its graph types partly open.

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import StateSnapshot

from apps.doctor.memory import branches_finding
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.fakes import a_settings
from tests.integration.server import as_url
from tests.integration.threads import TENANT, Thread, open_thread

TOLD = ("My cat is called Minou.", "My dog is called Rex.", "My bird is called Kiwi.")


@dataclass(frozen=True)
class OwnThread(Thread):
    """A thread with the address of who may look behind it."""

    owner: str = ""


@pytest.fixture
async def thread(test_addresses: Addresses, database: Database) -> AsyncGenerator[OwnThread]:
    async with open_thread(test_addresses, database) as opened:
        yield OwnThread(**vars(opened), owner=test_addresses.owner)


async def run(
    thread: OwnThread, text: str, run_id: str = "", message_id: str | None = None, dies_before: str = ""
) -> dict[str, Any]:
    """Say something in a run of this name, as a server does: the run's id is among the configuration."""
    config = {"configurable": {"thread_id": thread.thread_id, "run_id": run_id or str(uuid4())}}
    words = {"messages": [HumanMessage(text, id=message_id)]}
    ends = {"interrupt_before": [dies_before]} if dies_before else {}
    return dict(await thread.app.ainvoke(words, config, context=thread.context(), **ends))


async def told(thread: OwnThread) -> list[str]:
    """What the persons said in the thread, in order; every one was answered."""
    messages = (await thread.states())[0].values["messages"]
    assert [each.type for each in messages] == ["human", "ai"] * (len(messages) // 2)
    return [each.text for each in messages if each.type == "human"]


def statuses(thread: OwnThread) -> list[tuple[str, bool]]:
    """Of each turn in its order: what became of it, and whether it was left behind."""
    query = "select status, left_at is not null from brain.operations where thread_id = %s order by created_at"
    with psycopg.connect(thread.owner) as connection:
        return [(str(row[0]), bool(row[1])) for row in connection.execute(query, (thread.thread_id,))]


def lose(thread: OwnThread, behind: StateSnapshot) -> None:
    """The checkpoints behind this one, as they are lost with a process that dies before it wrote them."""
    kept = behind.config["configurable"]["checkpoint_id"]
    with psycopg.connect(thread.owner) as connection:
        for table in ("checkpoints", "checkpoint_writes"):
            query = f"delete from checkpoint.{table} where thread_id = %s and checkpoint_id > %s"
            connection.execute(query.encode(), (thread.thread_id, kept))


async def test_an_earlier_run_that_is_picked_up_again_changes_nothing(thread: OwnThread):
    runs = [str(uuid4()) for _ in TOLD]
    for text, run_id in zip(TOLD, runs, strict=True):
        await run(thread, text, run_id)
    await run(thread, TOLD[0], runs[0])
    assert await told(thread) == list(TOLD)
    assert statuses(thread) == [("queued", False)] * 3
    await run(thread, "Good night.")
    assert await told(thread) == [*TOLD, "Good night."]
    assert statuses(thread) == [("queued", False)] * 4


async def test_a_fork_that_is_picked_up_again_changes_nothing(thread: OwnThread):
    before = await thread.after(TOLD[0])
    run_id = str(uuid4())
    forked = {"configurable": {**before.config["configurable"], "run_id": run_id}}
    words = {"messages": [HumanMessage(TOLD[1], id="m2")]}
    for again in (False, True):
        await thread.app.ainvoke(words, forked, context=thread.context())
        if not again:
            await run(thread, TOLD[2])
    assert await told(thread) == list(TOLD)
    await run(thread, "Good night.")
    assert await told(thread) == [*TOLD, "Good night."]
    assert statuses(thread) == [("queued", False)] * 4


@pytest.mark.parametrize("place", [0, 2])
async def test_a_message_that_is_repeated_gets_its_answer_once(thread: OwnThread, place: int):
    for text in TOLD:
        await run(thread, text, message_id=text)
    answer = (await thread.states())[0].values["messages"][place * 2 + 1].text
    state = await run(thread, TOLD[place], message_id=TOLD[place])
    assert state["messages"][place * 2].text == TOLD[place]
    assert state["messages"][place * 2 + 1].text == answer
    assert await told(thread) == list(TOLD)
    assert statuses(thread) == [("queued", False)] * 3


async def test_a_repeated_message_streams_its_answer(thread: OwnThread):
    await run(thread, TOLD[0], message_id="m1")
    reply = (await thread.states())[0].values["messages"][-1].text
    words, heard = {"messages": [HumanMessage(TOLD[0], id="m1")]}, list[str]()
    async for message, _ in thread.app.astream(words, thread.config, context=thread.context(), stream_mode="messages"):
        heard += [message.text] if message.type == "ai" else []
    assert heard == [reply]


async def test_a_turn_whose_checkpoints_are_lost_is_told_in_its_place(thread: OwnThread):
    before = await thread.after(TOLD[0])
    await run(thread, TOLD[1])
    lose(thread, before)
    await run(thread, TOLD[2])
    assert await told(thread) == list(TOLD)
    assert statuses(thread) == [("queued", False)] * 3
    assert "Rex" in await thread.elsewhere("What is my dog called?")


async def test_a_message_whose_answer_no_checkpoint_has_is_answered_from_the_log(thread: OwnThread):
    before = await thread.after(TOLD[0])
    answer = (await run(thread, TOLD[1], message_id="m2"))["messages"][-1].text
    lose(thread, before)
    state = await run(thread, TOLD[1], message_id="m2")
    assert state["messages"][-1].text == answer
    assert await told(thread) == list(TOLD[:2])
    await run(thread, TOLD[2])
    assert await told(thread) == list(TOLD)


@pytest.mark.parametrize("step", ["open_session", "retrieve", "respond", "capture_signals"])
@pytest.mark.parametrize("message_id", [None, "m2"])
async def test_a_run_that_died_before_a_step_is_answered_once(thread: OwnThread, step: str, message_id: str | None):
    await run(thread, TOLD[0])
    run_id = str(uuid4())
    await run(thread, TOLD[1], run_id, message_id, dies_before=step)
    await run(thread, TOLD[1], run_id, message_id)
    assert await told(thread) == list(TOLD[:2])
    await run(thread, TOLD[2])
    assert await told(thread) == list(TOLD)
    assert statuses(thread) == [("queued", False)] * 3


async def test_a_checkpoint_that_a_client_lays_down_is_a_fork(thread: OwnThread):
    before = await thread.after(TOLD[0])
    await run(thread, TOLD[1])
    await thread.app.aupdate_state(before.config, {"messages": [HumanMessage("My dog is called Bello.", id="m9")]})
    await thread.say("What is my dog called?")
    assert [left for _, left in statuses(thread)] == [False, True, False]


def count(thread: OwnThread, query: str) -> int:
    with psycopg.connect(thread.owner) as connection:
        found = connection.execute(query.encode(), (thread.thread_id,)).fetchone()
    return int(found[0]) if found else 0


def mark_left(thread: OwnThread, *texts: str, at: str) -> None:
    """As an earlier Brain left these turns behind."""
    turns = "select operation_id from brain.conversation_events where role = 'user' and text = any(%s)"
    of_thread = f"thread_id = %s and operation_id in ({turns})"
    with psycopg.connect(thread.owner) as connection:
        connection.execute(
            f"update brain.operations set left_at = {at} where {of_thread}".encode(), (thread.thread_id, list(texts))
        )
        connection.execute("delete from brain.recall_index where text = any(%s)", (list(texts),))


async def repaired(thread: OwnThread) -> int:
    """How many turns the doctor finds and brings back; the second time there are none."""
    settings = a_settings(database_url=as_url(thread.owner))
    found = await branches_finding(settings, TENANT)
    await branches_finding(settings, TENANT, repair=True)
    assert await branches_finding(settings, TENANT) is None
    return int(found.what.split()[0]) if found else 0


async def test_turns_that_a_run_picked_up_again_left_behind_are_brought_back(thread: OwnThread):
    for text in TOLD:
        await run(thread, text)
    mark_left(thread, *TOLD[1:], at="clock_timestamp()")
    assert "Rex" not in await thread.elsewhere("What is my dog called?")
    assert await repaired(thread) == 2
    assert statuses(thread) == [("queued", False)] * 3
    assert "Rex" in await thread.elsewhere("What is my dog called?")


async def test_a_turn_that_was_left_because_its_checkpoint_was_lost_is_brought_back(thread: OwnThread):
    before = await thread.after(TOLD[0])
    await run(thread, TOLD[1])
    lose(thread, before)
    with psycopg.connect(thread.owner) as connection:
        connection.execute(
            "delete from checkpoint.checkpoint_blobs b where thread_id = %s and not exists (select from "
            "checkpoint.checkpoints c where c.thread_id = b.thread_id "
            "and c.checkpoint -> 'channel_versions' ->> b.channel = b.version)",
            (thread.thread_id,),
        )
    await run(thread, TOLD[2])
    last = f"(select max(created_at) from brain.operations where thread_id = '{thread.thread_id}')"
    mark_left(thread, TOLD[1], at=last)
    with psycopg.connect(thread.owner) as connection:
        connection.execute(
            "update brain.operations o set parent_id = (select operation_id from brain.operations f "
            "where f.thread_id = o.thread_id order by created_at limit 1) where thread_id = %s "
            f"and created_at = {last}".encode(),
            (thread.thread_id,),
        )
    assert await repaired(thread) == 1
    assert statuses(thread) == [("queued", False)] * 3
    orphans = (
        "select count(*) from brain.operations o where thread_id = %s and parent_id is not distinct from "
        "(select p.parent_id from brain.operations p where p.thread_id = o.thread_id and p.created_at < o.created_at "
        "order by p.created_at desc limit 1) and created_at > (select min(created_at) from brain.operations f "
        "where f.thread_id = o.thread_id)"
    )
    assert count(thread, orphans) == 0


async def test_what_was_left_on_purpose_stays_left(thread: OwnThread):
    before = await thread.after(TOLD[0])
    await run(thread, TOLD[1])
    await thread.say(TOLD[2], before)
    again = next(each for each in await thread.states() if "respond" in each.next and len(each.values["messages"]) == 1)
    await thread.replay(again)
    left = statuses(thread)
    assert [is_left for _, is_left in left] == [False, True, True]
    assert await repaired(thread) == 0
    assert statuses(thread) == left
