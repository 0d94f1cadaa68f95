"""The turn. ``graph`` is what servers run with their own saver; ``builder`` is what terminal and tests compile."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from langgraph.graph import END, START

from brain.context import Context
from brain.state import Incoming, State
from graphs.experiment import apply_variant
from graphs.interruption import capture_on_cancel
from graphs.memory_request import change_memory
from graphs.model_budget import meter_turn_step
from graphs.observation import ObservedGraph
from graphs.replay import restore_knowledge, restore_passes, restore_prompt, restore_session
from graphs.retry import storage
from nodes.approve import approve, asking_node
from nodes.assemble import assemble
from nodes.capture_signals import capture_signals
from nodes.change_memory import asks_change, needs_approval
from nodes.check_guard import check_guard
from nodes.classify_intent import classify_intent
from nodes.consult_knowledge import consult_knowledge
from nodes.dispatch_tools import dispatch_tools
from nodes.open_session import FIRST_STEPS, first_steps, open_session
from nodes.rerank import rerank
from nodes.respond import has_more_to_say, respond, wants_tools
from nodes.retrieve import retrieve, retrieve_rewritten
from nodes.rewrite_query import asks_again, rewrite_query
from nodes.sanitize import sanitize

builder = (
    ObservedGraph(State, context_schema=Context, input_schema=Incoming)
    .add_node("open_session", open_session, retry_policy=storage)
    .add_node("classify_intent", meter_turn_step(classify_intent))
    .add_node("rewrite_query", restore_session(meter_turn_step(rewrite_query)))
    .add_node("retrieve", retrieve, retry_policy=storage)
    .add_node("retrieve_rewritten", retrieve_rewritten, retry_policy=storage)
    .add_node("consult_knowledge", consult_knowledge)
    .add_node("rerank", apply_variant(restore_passes(meter_turn_step(rerank))), defer=True)
    .add_node("sanitize", restore_session(meter_turn_step(sanitize)))
    .add_node("change_memory", restore_session(change_memory), retry_policy=storage)
    .add_node("approve", approve)
    .add_node("assemble", apply_variant(restore_knowledge(assemble)))
    .add_node("check_guard", apply_variant(restore_prompt(check_guard)))
    .add_node("respond", apply_variant(restore_prompt(meter_turn_step(capture_on_cancel(respond)))))
    .add_node("dispatch_tools", apply_variant(restore_prompt(capture_on_cancel(dispatch_tools))))
    .add_node("capture_signals", restore_session(capture_signals), retry_policy=storage)
    .add_edge(START, "open_session")
    .add_conditional_edges("open_session", first_steps, [*FIRST_STEPS, END])
    .add_edge("classify_intent", "rerank")
    .add_conditional_edges("rewrite_query", asks_again, ["retrieve_rewritten", "rerank"])
    .add_edge("retrieve_rewritten", "rerank")
    .add_edge("retrieve", "rerank")
    .add_edge("consult_knowledge", "rerank")
    .add_edge("rerank", "sanitize")
    .add_conditional_edges("sanitize", asks_change, ["change_memory", "assemble"])
    .add_conditional_edges("change_memory", needs_approval, ["approve", "assemble"])
    .add_conditional_edges("approve", asking_node, ["change_memory", "dispatch_tools"])
    .add_edge("assemble", "check_guard")
    .add_edge("check_guard", "respond")
    .add_conditional_edges("respond", wants_tools, ["dispatch_tools", "capture_signals"])
    .add_conditional_edges("dispatch_tools", has_more_to_say, ["approve", "assemble", "check_guard", "capture_signals"])
    .add_edge("capture_signals", END)
)

graph = builder.compile(name="brain")
