"""A graph of LangGraph's that remembers: a node that recalls, one that captures, and Brain as the graph's store.

Needs ``brain serve``, ``pip install './client[langchain]' langchain-openai`` and ``OPENAI_API_KEY``.
"""
# pyright: reportUnknownMemberType=false
# LangGraph leaves the types of its builder partly open.

import asyncio
import os
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired

from brain_memory import BrainClient, MemoryContext
from brain_memory.langchain import RemoteStore
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langgraph.channels import UntrackedValue
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a run leans on."""

    model: BaseChatModel
    memory: BrainClient


class State(MessagesState):
    """The conversation; what is recalled for a turn is in no checkpoint."""

    recalled: NotRequired[Annotated[MemoryContext, UntrackedValue]]


async def recall(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask memory what bears on the newest message."""
    return {"recalled": await runtime.context.memory.abefore_llm(state["messages"][-1].text)}


async def respond(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer, with what is recalled between the conversation so far and the newest message."""
    *before, question = state["messages"]
    known = [HumanMessage(text)] if (text := state["recalled"].text) else []  # pyright: ignore[reportTypedDictNotRequiredAccess]
    return {"messages": [await runtime.context.model.ainvoke([*before, *known, question])]}


async def capture(state: State, runtime: Runtime[Context]) -> None:
    """Let memory learn from the turn, and count it in the store."""
    question, reply = state["messages"][-2:]
    await runtime.context.memory.aafter_llm(question.text, reply.text, state.get("recalled"))
    if runtime.store:
        item = await runtime.store.aget(("statistics",), "turns")
        count = item.value["count"] if item else 0
        await runtime.store.aput(("statistics",), "turns", {"count": count + 1}, index=False)


def build_graph(client: BrainClient) -> Any:
    """START → recall → respond → capture → END"""
    return (
        StateGraph(State, Context)
        .add_node(recall)
        .add_node(respond)
        .add_node(capture)
        .add_edge(START, "recall")
        .add_edge("recall", "respond")
        .add_edge("respond", "capture")
        .add_edge("capture", END)
        .compile(store=RemoteStore(client))
    )


async def main() -> None:
    """One turn."""
    async with BrainClient("http://127.0.0.1:8123", key=os.environ.get("BRAIN_KEY", "")) as client:
        context = Context(model=init_chat_model("openai:gpt-4.1-mini"), memory=client)
        asked = {"messages": [HumanMessage("Where shall I go in May?")]}
        state = await build_graph(client).ainvoke(asked, context=context)
        print(state["messages"][-1].text)


if __name__ == "__main__":
    asyncio.run(main())
