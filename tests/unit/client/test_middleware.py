"""Memory around an agent of LangChain's: once before the model, once behind the agent."""

from typing import Any

import httpx
import pytest
from brain_memory.langchain import BrainMiddleware
from brain_memory.middleware import MemoryState
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from langgraph.types import Command

from tests.unit.client.agents import ScriptedModel, an_agent, ask, calls
from tests.unit.client.fake_server import RECALLED, FakeServer, Mode, call, refusal

CONTEXT = RECALLED["context"]
THREAD: Any = {"configurable": {"thread_id": "thread-1"}}

pytestmark = pytest.mark.parametrize("mode", ["sync", "async"])


@tool
def look_up(word: str) -> str:
    """Look a word up."""
    return f"{word}: found"


async def test_the_model_sees_what_is_recalled_and_the_turn_is_captured(mode: Mode):
    server, model = FakeServer(), ScriptedModel()
    agent = an_agent(BrainMiddleware(server.client(), tokens=300), model, checkpointer=InMemorySaver())
    state = await ask(mode, agent, "Which tea?", config=THREAD)
    assert model.texts == [[CONTEXT, "Which tea?"]]
    assert [each.text for each in state["messages"]] == ["Which tea?", "Green."]
    assert server.bodies("before_llm") == [{"message": "Which tea?", "session": "thread-1", "tokens": 300}]
    (said,) = server.bodies("after_llm")
    assert (said["user_message"], said["assistant_message"], said["trace_id"]) == ("Which tea?", "Green.", "t1")


async def test_every_run_recalls_once_however_often_it_calls_the_model(mode: Mode):
    server = FakeServer()
    replies = [calls("look_up", word="tea"), calls("look_up", word="leaf"), AIMessage("Done.")]
    for number in range(10):
        model = ScriptedModel(replies=list(replies))
        agent = an_agent(BrainMiddleware(server.client(), risks={"look_up": "low"}), model, [look_up])
        await ask(mode, agent, f"Question {number}")
        assert [texts.count(CONTEXT) for texts in model.texts] == [1, 1, 1]
        assert all(texts[:2] == [CONTEXT, f"Question {number}"] for texts in model.texts)
    assert server.paths() == ["before_llm", "after_llm"] * 10


async def test_a_run_that_repeats_its_end_is_captured_under_the_same_key(mode: Mode):
    server = FakeServer()
    state: MemoryState = {"messages": [HumanMessage("Which tea?", id="q"), AIMessage("Green.", id="a")]}
    for _ in range(2):
        await call(mode, BrainMiddleware(server.client()).after_agent, state, Runtime())
    assert server.keys() == [server.keys()[0]] * 2


@pytest.mark.parametrize("failure", [httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), refusal(401, "E_NO")])
async def test_without_memory_the_agent_goes_on_and_the_log_says_so(
    mode: Mode, failure: Any, caplog: pytest.LogCaptureFixture
):
    server, model = FakeServer([failure, failure]), ScriptedModel()
    state = await ask(mode, an_agent(BrainMiddleware(server.client()), model), "Which tea?")
    assert state["messages"][-1].text == "Green."
    assert model.texts == [["Which tea?"]]
    assert "going on without memory" in caplog.text


async def test_the_person_of_a_run_is_named_to_the_server_and_a_run_of_nobody_has_no_memory(
    mode: Mode, caplog: pytest.LogCaptureFixture
):
    server, model = FakeServer(), ScriptedModel()
    middleware = BrainMiddleware(server.client(user="key owner"), user=lambda run: run.context["user"])
    agent = an_agent(middleware, model, context_schema=dict)
    await ask(mode, agent, "Which tea?", context={"user": "ann"})
    assert [each.headers["x-brain-user"] for each in server.requests] == ["ann", "ann"]
    await ask(mode, agent, "Which tea?", context={"user": None})
    assert len(server.requests) == 2
    assert model.texts[-1] == ["Which tea?"]
    assert "E_NO_PERSON" in caplog.text


async def test_what_was_recalled_is_in_no_checkpoint(mode: Mode):
    saver = InMemorySaver()
    agent = an_agent(BrainMiddleware(FakeServer().client()), checkpointer=saver)
    await ask(mode, agent, "Which tea?", config=THREAD)
    kept = repr(list(saver.list(THREAD))) + repr(saver.blobs) + repr(saver.writes)
    assert "Which tea?" in kept
    assert "likes green tea" not in kept


async def test_a_run_that_waited_for_a_person_recalls_again_and_is_captured_once(mode: Mode):
    server = FakeServer()
    model = ScriptedModel(replies=[calls("look_up", word="leaf"), AIMessage("Done.")])
    approval = HumanInTheLoopMiddleware(interrupt_on={"look_up": True})
    agent = an_agent(
        BrainMiddleware(server.client()), model, [look_up], middleware=[approval], checkpointer=InMemorySaver()
    )
    await ask(mode, agent, "Which leaf?", config=THREAD)
    assert server.paths() == ["before_llm"]
    state = await ask(mode, agent, Command(resume={"decisions": [{"type": "approve"}]}), config=THREAD)
    assert state["messages"][-1].text == "Done."
    assert model.texts[-1][:2] == [CONTEXT, "Which leaf?"]
    assert server.paths()[-1] == "after_llm"
    assert server.paths().count("after_llm") == 1


async def test_a_summary_in_the_persons_place_is_not_taken_for_their_words(mode: Mode):
    server = FakeServer()
    summarizer = ScriptedModel(replies=[AIMessage("They spoke of Mallory.")])
    summary = SummarizationMiddleware(summarizer, trigger=("messages", 2), keep=("messages", 1))
    agent = an_agent(BrainMiddleware(server.client()), middleware=[summary])
    said = [HumanMessage("Hello."), AIMessage("Hello!"), HumanMessage("Which tea?")]
    await ask(mode, agent, {"messages": said})
    assert [each["message"] for each in server.bodies("before_llm")] == ["Which tea?"]
    assert [each["user_message"] for each in server.bodies("after_llm")] == ["Which tea?"]


async def test_a_message_without_words_is_neither_recalled_for_nor_captured(mode: Mode):
    server = FakeServer()
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    await ask(mode, an_agent(BrainMiddleware(server.client())), {"messages": [HumanMessage([picture])]})
    assert server.requests == []
