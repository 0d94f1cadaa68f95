"""What memory would bring to a message, by the turn's own steps and without a turn: for agents that are not Brain."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph

from brain.context import Context
from brain.state import Incoming, OpenTurn, State
from graphs.model_budget import meter_turn_step
from graphs.retry import storage
from nodes.begin_recall import begin_recall, read_pins
from nodes.rerank import rerank
from nodes.retrieve import retrieve
from nodes.sanitize import sanitize

builder = (
    StateGraph(State, context_schema=Context, input_schema=Incoming)
    .add_node("begin_recall", begin_recall)
    .add_node("read_pins", read_pins, retry_policy=storage)
    .add_node("retrieve", retrieve, retry_policy=storage)
    .add_node("rerank", meter_turn_step(rerank), defer=True)
    .add_node("sanitize", meter_turn_step(sanitize))
    .add_edge(START, "begin_recall")
    .add_edge("begin_recall", "read_pins")
    .add_edge("begin_recall", "retrieve")
    .add_edge("read_pins", "rerank")
    .add_edge("retrieve", "rerank")
    .add_edge("rerank", "sanitize")
    .add_edge("sanitize", END)
)

graph = builder.compile(name="recall")


async def recall_for(message: str, context: Context) -> OpenTurn:
    """The state behind the last step: ``memories`` above the cut, ``rejected`` with their reasons."""
    return OpenTurn(**await graph.ainvoke({"messages": [HumanMessage(message)]}, context=context))  # pyright: ignore[reportArgumentType]
