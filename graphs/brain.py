"""The turn. ``graph`` is what servers run with their own saver; ``builder`` is what terminal and tests compile."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from brain.context import Context
from brain.state import Incoming, State
from graphs.broken_off import keeping_what_was_shown
from graphs.metered import in_turn
from memory.errors import BrainError
from nodes.assemble import assemble
from nodes.capture_signals import capture_signals
from nodes.change_memory import asks_change, change_memory
from nodes.check_guard import check_guard
from nodes.classify_intent import classify_intent
from nodes.consult_knowledge import consult_knowledge
from nodes.dispatch_tools import dispatch_tools
from nodes.open_session import open_session
from nodes.rerank import rerank
from nodes.respond import goes_on, respond, wants_tools
from nodes.retrieve import retrieve
from nodes.retrieve_rewritten import retrieve_rewritten
from nodes.rewrite_query import asks_again, rewrite_query
from nodes.sanitize import sanitize


def retryable(error: Exception) -> bool:
    """Only what may pass by itself: a dependency that was away or slow."""
    return isinstance(error, BrainError) and error.retryable


storage = RetryPolicy(max_attempts=3, initial_interval=0.2, backoff_factor=2.0, retry_on=retryable)

builder = (
    StateGraph(State, context_schema=Context, input_schema=Incoming)
    .add_node("open_session", open_session, retry_policy=storage)
    .add_node("classify_intent", in_turn(classify_intent))
    .add_node("rewrite_query", in_turn(rewrite_query))
    .add_node("retrieve", retrieve, retry_policy=storage)
    .add_node("retrieve_rewritten", retrieve_rewritten, retry_policy=storage)
    .add_node("consult_knowledge", consult_knowledge)
    .add_node("rerank", in_turn(rerank), defer=True)
    .add_node("sanitize", in_turn(sanitize))
    .add_node("change_memory", change_memory, retry_policy=storage)
    .add_node("assemble", assemble)
    .add_node("check_guard", check_guard)
    .add_node("respond", in_turn(keeping_what_was_shown(respond)))
    .add_node("dispatch_tools", keeping_what_was_shown(dispatch_tools))
    .add_node("capture_signals", capture_signals, retry_policy=storage)
    .add_edge(START, "open_session")
    .add_edge("open_session", "classify_intent")
    .add_edge("open_session", "rewrite_query")
    .add_edge("open_session", "retrieve")
    .add_edge("open_session", "consult_knowledge")
    .add_edge("classify_intent", "rerank")
    .add_conditional_edges("rewrite_query", asks_again, ["retrieve_rewritten", "rerank"])
    .add_edge("retrieve_rewritten", "rerank")
    .add_edge("retrieve", "rerank")
    .add_edge("consult_knowledge", "rerank")
    .add_edge("rerank", "sanitize")
    .add_conditional_edges("sanitize", asks_change, ["change_memory", "assemble"])
    .add_edge("change_memory", "assemble")
    .add_edge("assemble", "check_guard")
    .add_edge("check_guard", "respond")
    .add_conditional_edges("respond", wants_tools, ["dispatch_tools", "capture_signals"])
    .add_conditional_edges("dispatch_tools", goes_on, ["check_guard", "capture_signals"])
    .add_edge("capture_signals", END)
)

graph = builder.compile(name="brain")
