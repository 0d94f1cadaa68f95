"""Inside a LangGraph node: the user's stream carries the reply, once, and nothing of the forms."""

# pyright: reportMissingTypeStubs=false

import json
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict, cast

import httpx
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from pydantic import BaseModel

from brain.models.errors import ModelInterrupted
from brain.notices import append_notices
from tests.openai_wire import DONE, Said, chunks, completion, sse
from tests.unit.models.client import ChatClient, body_of


class Conversation(TypedDict):
    """What the graph under test carries."""

    messages: Annotated[Sequence[AnyMessage], add_messages]


class Note(BaseModel):
    """A form."""

    secret: str


async def test_tokens_of_the_reply_are_streamed_once_and_those_of_forms_never(chat: ChatClient) -> None:
    form = httpx.Response(200, json=completion(Said(text=json.dumps({"secret": "for our eyes"}))))
    reply = httpx.Response(200, content=sse(chunks(Said(text="Good morning to you."))))
    route = chat.answers(form, reply)

    async def answer(state: Conversation) -> Conversation:
        await chat.model.fill(Note, list(state["messages"]))
        return {"messages": [await chat.model.stream(list(state["messages"]))]}

    graph: Any = cast("Any", StateGraph(Conversation)).add_node(answer).add_edge(START, "answer").compile()
    heard: list[str] = []
    final: list[AnyMessage] = []
    async for mode, part in graph.astream({"messages": [HumanMessage("Hi")]}, stream_mode=["messages", "values"]):
        if mode == "values":
            final = list(part["messages"])
        elif isinstance(part[0], AIMessage):
            heard.append(part[0].text)
    assert "".join(heard) == "Good morning to you."
    assert len([token for token in heard if token]) == 4
    assert final[-1].text == "Good morning to you."
    assert (body_of(route, 0)["stream"], body_of(route, 1)["stream"]) == (False, True)


async def test_that_a_reply_broke_off_is_streamed_as_its_last_piece(chat: ChatClient) -> None:
    begun = list(chunks(Said(text="Good morning to you.")))[:3]
    chat.answers(httpx.Response(200, content=sse(begun).replace(DONE, b"")))

    async def answer(state: Conversation) -> Conversation:
        try:
            return {"messages": [await chat.model.stream(list(state["messages"]))]}
        except ModelInterrupted as cut:
            return {"messages": [await append_notices(cut.partial, ["(It broke off.)"])]}

    graph: Any = cast("Any", StateGraph(Conversation)).add_node(answer).add_edge(START, "answer").compile()
    pieces: list[AIMessage] = []
    final: list[AnyMessage] = []
    async for mode, part in graph.astream({"messages": [HumanMessage("Hi")]}, stream_mode=["messages", "values"]):
        if mode == "values":
            final = list(part["messages"])
        elif isinstance(part[0], AIMessage):
            pieces.append(part[0])
    assert final[-1].text.endswith("\n\n(It broke off.)")
    assert "".join(piece.text for piece in pieces) == final[-1].text
    assert {piece.id for piece in pieces} == {final[-1].id}
    assert final[-1].response_metadata["finish_reason"] == "interrupted"
