"""The graph of a correction: by rules alone, so that it never waits for a model that reads another turn."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from typing import Literal
from uuid import UUID

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.correct import correct_at_once
from evolution.known_memories import is_correction
from evolution.merge_profiles import merge_profiles
from evolution.observe import observe
from evolution.state import EvolutionRequest, EvolutionState
from graphs.background_step import with_job_context
from graphs.retry import storage
from memory.scope import Scope


def has_correction(state: EvolutionState) -> Literal["correct_at_once", "__end__"]:
    """Does anybody still take something back, or was the session's own job first?"""
    return "correct_at_once" if any(is_correction(turn) for turn in state.said) else "__end__"


builder = (
    StateGraph(EvolutionState, context_schema=Claim, input_schema=EvolutionRequest)
    .add_node("observe", with_job_context(observe), retry_policy=storage)
    .add_node("correct_at_once", with_job_context(correct_at_once), retry_policy=storage)
    .add_node("merge_profiles", with_job_context(merge_profiles), retry_policy=storage)
    .add_edge(START, "observe")
    .add_conditional_edges("observe", has_correction, ["correct_at_once", END])
    .add_edge("correct_at_once", "merge_profiles")
    .add_edge("merge_profiles", END)
)

graph = builder.compile(name="correction")


async def apply_corrections(resources: Resources, scope: Scope, session_id: UUID) -> None:
    """Carry out what the waiting turns of a session take back. Doing it again changes nothing."""
    context = JobContext(scope=scope, resources=resources)
    await graph.ainvoke({"session_id": str(session_id)}, context=context)  # pyright: ignore[reportArgumentType]
