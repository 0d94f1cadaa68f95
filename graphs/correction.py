"""A correction by itself: rules alone, in moments, whatever else is being thought about."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from typing import Literal
from uuid import UUID

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from brain.errand import Errand
from brain.resources import Resources
from evolution.knowing import corrects
from evolution.state import Asked, EvolutionState
from graphs.brain import storage
from graphs.owned import owned
from memory.scope import Scope
from nodes.evolution.correct_at_once import correct_at_once
from nodes.evolution.merge_profiles import merge_profiles
from nodes.evolution.observe import observe


def takes_anything_back(state: EvolutionState) -> Literal["correct_at_once", "__end__"]:
    """Does anybody still take something back, or was the session's own job first?"""
    return "correct_at_once" if any(corrects(turn) for turn in state.said) else "__end__"


builder = (
    StateGraph(EvolutionState, context_schema=Claim, input_schema=Asked)
    .add_node("observe", owned(observe), retry_policy=storage)
    .add_node("correct_at_once", owned(correct_at_once), retry_policy=storage)
    .add_node("merge_profiles", owned(merge_profiles), retry_policy=storage)
    .add_edge(START, "observe")
    .add_conditional_edges("observe", takes_anything_back, ["correct_at_once", END])
    .add_edge("correct_at_once", "merge_profiles")
    .add_edge("merge_profiles", END)
)

graph = builder.compile(name="correction")


async def carry_out(resources: Resources, scope: Scope, session_id: UUID) -> None:
    """Carry out what the waiting turns of a session take back. Doing it again changes nothing."""
    errand = Errand(scope=scope, resources=resources)
    await graph.ainvoke({"session_id": str(session_id)}, context=errand)  # pyright: ignore[reportArgumentType]
