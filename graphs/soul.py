"""How SOUL changes: proposed, evaluated, decided by a person where the policy asks for one, and applied."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from evolution.soul.state import SoulRequest, SoulState
from evolution.soul.steps import apply_soul, approve_soul, evaluate_soul, is_settled, propose_soul, who_decides
from graphs.retry import storage

builder = (
    StateGraph(SoulState, context_schema=Claim, input_schema=SoulRequest)
    .add_node("propose", propose_soul, retry_policy=storage)
    .add_node("evaluate", evaluate_soul, retry_policy=storage)
    .add_node("approve", approve_soul)
    .add_node("apply", apply_soul, retry_policy=storage)
    .add_edge(START, "propose")
    .add_edge("propose", "evaluate")
    .add_conditional_edges("evaluate", who_decides, ["approve", "apply", END])
    .add_edge("approve", "apply")
    .add_conditional_edges("apply", is_settled, ["approve", END])
)

graph = builder.compile(name="soul")
