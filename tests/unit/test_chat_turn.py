"""A turn for a chat client over a small graph: an approval becomes a question, and its answer goes on from there."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from apps.chat_api.approval_question import describe_approval, read_approval
from apps.chat_api.client_model import ClientModel, tool_round
from apps.chat_api.request import ChatMessage, transcript_of
from apps.chat_api.turn import ChatTurn, TurnRunner
from brain.context import Context
from brain.models.port import ToolSpec
from memory.errors import BrainError
from skills.registry import builtin_registry
from tests.fakes import FakeModel, Leanings, resources_of
from tests.this_test import own_tenant

REQUEST: dict[str, Any] = {
    "action_requests": [{"name": "forget", "args": {}, "description": "Forget 12 memories about Porto."}],
    "review_configs": [{"action_name": "forget", "allowed_decisions": ["approve", "reject"]}],
}


pytestmark = pytest.mark.usefixtures("memory")


def respond(state: MessagesState) -> dict[str, Any]:
    """Asks before it forgets, and tells what was decided; repeats anything else."""
    words = state["messages"][-1].text
    if "forget" in words:
        words = interrupt(REQUEST)["decisions"][0]["type"]
    return {"messages": [AIMessage(f"{words}!")]}


builder: Any = StateGraph(MessagesState, context_schema=Context)
builder.add_node("respond", respond)
builder.add_edge(START, "respond").add_edge("respond", END)


def a_runner() -> TurnRunner:
    saver: Any = InMemorySaver()
    graph: Any = builder.compile(checkpointer=saver)
    return TurnRunner(graph=graph, saver=saver, resources=resources_of(Leanings()))


async def say(runner: TurnRunner, *texts: str) -> str:
    """The reply to a conversation, each second text of which is Brain's."""
    roles = ("user", "assistant")
    messages = [ChatMessage(role=roles[place % 2], content=text) for place, text in enumerate(texts)]  # pyright: ignore
    context = Context(tenant=own_tenant(), resources=runner.resources)
    turn = ChatTurn(context=context, user=None, said=transcript_of(messages), session_name="chat")
    heard = list[str]()
    reply = await runner.run(turn, heard.append)
    assert "".join(heard) == reply.text
    return reply.text


@pytest.mark.parametrize(
    ("answer", "reply"), [("yes", "approve!"), ("No.", "reject!"), ("好的", "approve!"), ("不要", "reject!")]
)
async def test_an_approval_is_asked_for_and_answered_in_the_conversation(answer: str, reply: str):
    runner = a_runner()
    question = await say(runner, "forget Porto")

    assert "Forget 12 memories about Porto." in question
    assert "yes or no" in question
    assert await say(runner, "forget Porto", question, answer) == reply
    assert await say(runner, "forget Porto", question, answer, reply, "And now?") == "And now?!"


async def test_whoever_speaks_of_something_else_is_answered_to_that():
    runner = a_runner()
    question = await say(runner, "forget Porto")

    assert await say(runner, "forget Porto", question, "What is the time in Tokyo?") == "What is the time in Tokyo?!"


async def test_yes_without_a_question_is_just_a_word():
    runner = a_runner()
    assert await say(runner, "Hi", "Hi!", "yes") == "yes!"


async def test_the_question_speaks_the_language_of_the_person():
    saved: Any = type("Asked", (), {"value": "删除", "id": "i1"})()

    assert "同意" in describe_approval([saved], "忘掉波尔图")
    assert read_approval([saved], "maybe later, tell me about trains first") is None


async def test_the_model_of_a_client_keeps_brains_prompt_first_and_ends_with_the_clients_calls():
    call: Any = {"name": "weather", "args": {}, "id": "c1"}
    inner = FakeModel([AIMessage("", tool_calls=[call, {"name": "memory_search", "args": {}, "id": "c2"}])])  # pyright: ignore
    own = tuple(builtin_registry().tools[name].spec for name in ("memory_search", "memory_append"))
    theirs = (ToolSpec(name="weather", description="", parameters={}),)
    result = tool_round(ChatMessage(role="tool", content="18", tool_call_id="c0"))
    model = ClientModel(inner, "Be brief.", theirs, [result])
    reply = await model.stream([AIMessage("brain"), HumanMessage("words")], own)

    assert [each.text for each in inner.asked[0]] == ["brain", "Be brief.", "words", "18"]
    assert [tool.name for tool in inner.offered[0]] == ["memory_search", "weather"]
    assert reply.tool_calls == []
    assert [each["name"] for each in model.calls] == ["weather"]


def test_arguments_that_are_no_object_are_refused():
    broken: Any = [{"id": "c1", "function": {"name": "weather", "arguments": "[1]"}}]
    with pytest.raises(BrainError, match="JSON object"):
        tool_round(ChatMessage(role="assistant", tool_calls=broken))
