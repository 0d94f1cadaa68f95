"""The real graph on a real PostgreSQL."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from brain.context import Context
from brain.intent_rules import IntentForm
from brain.resources import Resources, utc_now
from graphs.brain import builder, graph
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope, name_id
from nodes.rewrite_query import Rewriting
from tests.fakes import FakeModel, Leanings, resources_of


def resources_on(database: Database, **leanings: Any) -> Resources:
    built = resources_of(Leanings(memory=postgres_memory(database), **leanings))
    return replace(built, new_id=Resources.__dataclass_fields__["new_id"].default, clock=utc_now)


async def says(text: str, resources: Resources, **context: Any) -> dict[str, Any]:
    return await graph.ainvoke({"messages": [HumanMessage(text)]}, context=Context(resources=resources, **context))


async def test_what_was_said_in_one_session_is_known_in_another_without_any_model(database: Database, scope: Scope):
    resources, who = resources_on(database), {"tenant": str(scope.tenant_id), "user": "ann"}
    await says("My dentist is Doctor Okafor.", resources, **who, session="monday")
    later = await says("Who is my dentist?", resources, **who, session="friday")
    other = await says("Who is my dentist?", resources, tenant=who["tenant"], user="bob")
    assert "Doctor Okafor" in later["messages"][-1].text
    assert "Okafor" not in other["messages"][-1].text


async def test_asking_often_does_not_crowd_out_the_answer(database: Database, scope: Scope):
    resources, who = resources_on(database), {"tenant": str(scope.tenant_id), "user": "ann"}
    await says("My locker code is 7731.", resources, **who, session="a")
    for _ in range(12):
        await says("What is my locker code?", resources, **who, session="a")
    later = await says("what is my locker code", resources, **who, session="b")
    assert "7731" in later["messages"][-1].text


async def test_a_turn_without_tools_takes_three_round_trips(database: Database, scope: Scope):
    resources, who = resources_on(database), {"tenant": str(scope.tenant_id), "user": "ann"}
    await says("I like green tea.", resources, **who)
    before = database.round_trips
    await says("What do I like?", resources, **who)
    assert database.round_trips - before == 3


async def test_the_turn_is_one_transaction_with_its_job_and_receipts(database: Database, scope: Scope):
    tenant = str(scope.tenant_id)
    resources = resources_on(database)
    await says("I like green tea.", resources, tenant=tenant, user="ann")
    out = await says("What do I like?", resources, tenant=tenant, user="ann")
    ann = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    operation_id = UUID(out["turn"]["operation_id"])
    receipts = await resources.memory.log.receipts(ann, operation_id)
    operation = await resources.memory.log.operation(ann, operation_id)
    assert [str(each.receipt_id) for each in receipts] == out["receipts"]
    assert [each.receipt_type for each in receipts] == ["retrieval", "injection"]
    assert operation is not None
    assert operation.status == "queued"


async def test_a_reply_that_cannot_be_written_says_so_and_the_words_remain(database: Database, scope: Scope):
    resources, tenant = resources_on(database), str(scope.tenant_id)
    ann = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    twice = UUID(int=1)
    broken = replace(resources, new_id=lambda: twice)
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await says("I like green tea.", broken, tenant=tenant, user="ann", session="s")
    session = name_id("session", str(ann.tenant_id), "main", str(ann.user_id), "s")
    window = (await resources.memory.log.open(ann, session, 5)).window
    assert [event.text for event in window] == ["I like green tea."]
    assert await resources.memory.log.receipts(ann, twice) == []


async def test_a_model_with_tools_searches_and_answers(database: Database, scope: Scope):
    tenant = str(scope.tenant_id)
    await says("My dentist is Doctor Okafor.", resources_on(database), tenant=tenant, user="ann")
    call = {"name": "memory_search", "args": {"query": "dentist"}, "id": "c1", "type": "tool_call"}
    model = FakeModel(replies=[AIMessage("", tool_calls=[call]), AIMessage("Doctor Okafor.")])
    out = await says("Who fixes my teeth?", resources_on(database, chat=model), tenant=tenant, user="ann", session="2")
    tool = next(message for message in out["messages"] if message.type == "tool")
    assert "Okafor" in tool.text
    assert out["messages"][-1].text == "Doctor Okafor."
    assert out["degraded"] == []


async def test_rewritten_queries_add_passes_and_every_step_runs_once(database: Database, scope: Scope):
    tenant = str(scope.tenant_id)
    await says("Schnurri sleeps on the sofa.", resources_on(database), tenant=tenant, user="ann")
    fast = FakeModel(
        forms_by={IntentForm: IntentForm(intent_type="question"), Rewriting: Rewriting(queries=["Schnurri", "sofa"])}
    )
    chat = FakeModel(replies=[AIMessage("On the sofa.")])
    context = Context(resources=resources_on(database, chat=chat, fast=fast), tenant=tenant, user="ann", session="2")
    steps = [
        name
        async for update in graph.astream(
            {"messages": [HumanMessage("And her?")]}, context=context, stream_mode="updates"
        )
        for name in update
    ]
    assert sorted(steps) == sorted(set(steps))
    assert "retrieve_rewritten" in steps
    assert "Schnurri sleeps on the sofa." in chat.asked[0][-1].text
    assert len(chat.asked) == 1


async def test_an_endless_caller_of_tools_is_stopped_after_its_rounds(database: Database, scope: Scope):
    call = {"name": "memory_search", "args": {"query": "x"}, "id": "c", "type": "tool_call"}
    rounds = [AIMessage("", tool_calls=[{**call, "id": f"c{n}"}]) for n in range(2)]
    model = FakeModel(replies=[*rounds, AIMessage("enough")])
    out = await says("go", resources_on(database, chat=model), tenant=str(scope.tenant_id), max_tool_rounds=2)
    assert out["messages"][-1].text == "enough"
    assert [len(offered) > 0 for offered in model.offered] == [True, True, False]


async def test_a_fork_of_a_thread_sees_its_own_past_only(database: Database, scope: Scope):
    model = FakeModel(replies=[AIMessage(str(n)) for n in range(4)])
    resources = resources_on(database, chat=model)
    context = Context(resources=resources, tenant=str(scope.tenant_id), user="ann")
    app, config = builder.compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "t"}}
    for text in ("one", "two", "three"):
        await app.ainvoke({"messages": [HumanMessage(text)]}, config, context=context, durability="exit")
    states = [state async for state in app.aget_state_history(config)]
    after_one = next(state for state in reversed(states) if len(state.values.get("messages", [])) == 2)
    await app.ainvoke({"messages": [HumanMessage("other")]}, after_one.config, context=context, durability="exit")
    assert [message.text for message in model.asked[-1]][1:-1] == ["one", "0"]


async def test_the_final_checkpoint_holds_no_memory_text(database: Database, scope: Scope):
    resources = resources_on(database)
    context = Context(resources=resources, tenant=str(scope.tenant_id), user="ann")
    app = builder.compile(checkpointer=InMemorySaver())
    for thread, text in (("a", "The code word is xylophone."), ("b", "What is the code word?")):
        config = {"configurable": {"thread_id": thread}}
        await app.ainvoke({"messages": [HumanMessage(text)]}, config, context=context, durability="exit")
    state = await app.aget_state({"configurable": {"thread_id": "b"}})
    kept = {key: value for key, value in state.values.items() if key != "messages"}
    assert "xylophone" not in str(kept)
    assert [memory["memory_id"] for memory in state.values["memories"]]
