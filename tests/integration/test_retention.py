"""Old checkpoints go, the newest state of every thread stays readable, and the tables become smaller."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.checkpoint.base.id import uuid6
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from apps.jobs.retention import id_at, prune_checkpoints
from apps.threads.checkpointer import Saver, open_saver
from apps.threads.registry import KnownThread, Owner, ThreadRegistry
from brain.settings import Settings
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.server import as_url

NOW = datetime.now(UTC)
LATER = NOW + timedelta(days=31)


class Talk(TypedDict):
    """What is said, and a value that never changes."""

    messages: Annotated[list[AnyMessage], add_messages]
    constant: list[str]


@pytest.fixture
def settings(test_addresses: Addresses) -> Settings:
    return Settings(database_url=as_url(test_addresses.owner), checkpoints_per_thread=5, checkpoint_retention_days=30)


@pytest.fixture
async def saver(settings: Settings) -> AsyncGenerator[Saver]:
    async with open_saver(settings) as opened:
        yield opened


def talk_on(saver: Saver) -> Any:
    """A graph with a subgraph of its own, so that namespaces differ."""

    async def answer(state: Talk) -> dict[str, Any]:
        return {"messages": [HumanMessage(f"answer {len(state['messages'])}")]}

    inner: Any = StateGraph(Talk)
    inner.add_node("think", answer).add_edge(START, "think").add_edge("think", END)
    outer: Any = StateGraph(Talk)
    outer.add_node("inner", inner.compile()).add_node("answer", answer)
    outer.add_edge(START, "inner").add_edge("inner", "answer").add_edge("answer", END)
    return outer.compile(checkpointer=saver)


async def say(talk: Any, thread_id: str, turns: int, **metadata: str) -> dict[str, Any]:
    config = {"configurable": {"thread_id": thread_id}, "metadata": metadata}
    for turn in range(turns):
        told: dict[str, Any] = {"messages": [HumanMessage(f"turn {turn}")]}
        await talk.ainvoke(told | ({"constant": ["first"]} if turn == 0 else {}), config)
    return (await talk.aget_state(config)).values


def rows(where: Addresses, thread_id: str) -> dict[str, int]:
    with psycopg.connect(where.owner) as connection:
        return {
            table: connection.execute(
                f"select count(*) from checkpoint.{table} where thread_id = %s".encode(), (thread_id,)
            ).fetchone()[0]  # pyright: ignore[reportOptionalSubscript]
            for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
        }


async def test_a_long_thread_keeps_its_newest_checkpoints(settings: Settings, saver: Saver, test_addresses: Addresses):
    talk, thread_id = talk_on(saver), str(uuid4())
    config: Any = {"configurable": {"thread_id": thread_id}}
    before = await say(talk, thread_id, 10)
    full, newest = rows(test_addresses, thread_id), [state async for state in talk.aget_state_history(config)][:5]
    await prune_checkpoints(settings, NOW)
    kept = [state async for state in talk.aget_state_history(config)]
    left = rows(test_addresses, thread_id)
    assert [state.values for state in kept] == [state.values for state in newest]
    assert kept[-1].parent_config is None
    assert (await talk.aget_state(config)).values == before
    assert before["constant"] == ["first"]
    assert all(left[table] < full[table] / 2 for table in full)
    await say(talk, thread_id, 1)
    assert len((await talk.aget_state(config)).values["messages"]) == len(before["messages"]) + 3


async def test_an_idle_thread_keeps_its_newest_state_only(settings: Settings, saver: Saver, test_addresses: Addresses):
    talk, thread_id = talk_on(saver), str(uuid4())
    config: Any = {"configurable": {"thread_id": thread_id}}
    before = await say(talk, thread_id, 1)
    full = rows(test_addresses, thread_id)
    await prune_checkpoints(settings, NOW)
    assert rows(test_addresses, thread_id) == full
    pruned = await prune_checkpoints(settings, LATER)
    assert pruned.checkpoints > 0
    assert (await talk.aget_state(config)).values == before
    assert len([state async for state in talk.aget_state_history(config)]) == 1
    assert (await prune_checkpoints(settings, LATER)).checkpoints == 0


async def test_no_value_that_a_checkpoint_still_names_is_dropped(
    settings: Settings, saver: Saver, test_addresses: Addresses
):
    talk, thread_id = talk_on(saver), str(uuid4())
    await say(talk, thread_id, 8)
    await prune_checkpoints(settings, NOW)
    with psycopg.connect(test_addresses.owner) as connection:
        lost = connection.execute(
            "select count(*) from checkpoint.checkpoints c"
            " cross join lateral jsonb_each_text(c.checkpoint -> 'channel_versions') v"
            " left join checkpoint.checkpoint_blobs b on (b.thread_id, b.checkpoint_ns, b.channel, b.version)"
            " = (c.thread_id, c.checkpoint_ns, v.key, v.value)"
            " where c.thread_id = %s and v.key in ('messages', 'constant') and b.thread_id is null",
            (thread_id,),
        ).fetchone()
        unnamed = connection.execute(
            "select count(*) from checkpoint.checkpoint_blobs b where b.thread_id = %s and not exists"
            " (select from checkpoint.checkpoints c where c.thread_id = b.thread_id and"
            " c.checkpoint_ns = b.checkpoint_ns and c.checkpoint -> 'channel_versions' ->> b.channel = b.version)",
            (thread_id,),
        ).fetchone()
    assert lost == (0,)
    assert unnamed == (0,)


async def test_a_cancelled_run_leaves_no_trace(saver: Saver, test_addresses: Addresses):
    talk, thread_id = talk_on(saver), str(uuid4())
    config: Any = {"configurable": {"thread_id": thread_id}}
    before = await say(talk, thread_id, 1, run_id="first")
    full = rows(test_addresses, thread_id)
    await say(talk, thread_id, 1, run_id="second")
    await saver.adelete_for_runs(["second"])
    assert (await talk.aget_state(config)).values == before
    assert rows(test_addresses, thread_id) == full


async def test_a_copied_thread_has_the_whole_history(saver: Saver, test_addresses: Addresses):
    talk, thread_id, copy_id = talk_on(saver), str(uuid4()), str(uuid4())
    before = await say(talk, thread_id, 2)
    await saver.acopy_thread(thread_id, copy_id)
    copied: Any = {"configurable": {"thread_id": copy_id}}
    assert (await talk.aget_state(copied)).values == before
    assert rows(test_addresses, copy_id) == rows(test_addresses, thread_id)


async def test_the_ledger_knows_whose_threads_there_are(saver: Saver, database: Database):
    talk, mine, nobodys = talk_on(saver), str(uuid4()), str(uuid4())
    await say(talk, mine, 1, graph_id="brain", assistant_id="a", tenant="acme", owner="ann")
    await say(talk, nobodys, 1, graph_id="brain")
    registry = ThreadRegistry(database)
    assert await registry.fetch_owner(mine) == Owner("acme", "ann")
    assert await registry.fetch_owner(nobodys) == Owner(None, None)
    assert await registry.fetch_owner(str(uuid4())) is None
    assert await registry.fetch_recent(2) == [
        KnownThread(nobodys, "brain", None, None, None),
        KnownThread(mine, "brain", "a", "acme", "ann"),
    ]


def test_an_id_of_a_moment_stands_between_the_checkpoints_before_and_after():
    before, moment = str(uuid6(clock_seq=-2)), datetime.now(UTC)
    assert before < id_at(moment + timedelta(milliseconds=5))
    assert id_at(moment - timedelta(milliseconds=5)) < str(uuid6(clock_seq=-2))
