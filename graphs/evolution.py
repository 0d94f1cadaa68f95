"""What grows behind the conversation: from a session's waiting turns to versioned memories."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from uuid import UUID

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.absolutization.absolutize import absolutize, needs_another_round
from evolution.correct import correct
from evolution.extraction.analyze import analyze
from evolution.gate import gate
from evolution.merge_profiles import merge_profiles
from evolution.normalize import normalize
from evolution.note_day import note_day
from evolution.observe import choose_path, observe
from evolution.reconcile import reconcile
from evolution.state import EvolutionRequest, EvolutionState
from evolution.summaries.fold_session import fold_session
from evolution.upkeep.curate import curate_memory
from evolution.write import write
from graphs.background_step import with_job_context
from graphs.model_budget import BackgroundMeter
from graphs.retry import storage
from memory.scope import Scope

counted = BackgroundMeter("evolution")

builder = (
    StateGraph(EvolutionState, context_schema=Claim, input_schema=EvolutionRequest)
    .add_node("observe", with_job_context(observe), retry_policy=storage)
    .add_node("correct", with_job_context(correct), retry_policy=storage)
    .add_node("analyze", with_job_context(counted(analyze)))
    .add_node("absolutize", with_job_context(counted(absolutize)))
    .add_node("normalize", with_job_context(normalize))
    .add_node("reconcile", with_job_context(reconcile))
    .add_node("gate", with_job_context(gate))
    .add_node("write", with_job_context(write), retry_policy=storage)
    .add_node("merge_profiles", with_job_context(merge_profiles), retry_policy=storage)
    .add_node("note_day", with_job_context(note_day), retry_policy=storage)
    .add_node("curate_memory", with_job_context(curate_memory), retry_policy=storage)
    .add_node("fold_session", with_job_context(counted(fold_session)), retry_policy=storage)
    .add_edge(START, "observe")
    .add_conditional_edges("observe", choose_path, ["correct", "analyze", "write"])
    .add_edge("correct", "analyze")
    .add_edge("analyze", "absolutize")
    .add_conditional_edges("absolutize", needs_another_round, ["absolutize", "normalize"])
    .add_edge("normalize", "reconcile")
    .add_edge("reconcile", "gate")
    .add_edge("gate", "write")
    .add_edge("write", "merge_profiles")
    .add_edge("merge_profiles", "note_day")
    .add_edge("note_day", "curate_memory")
    .add_edge("curate_memory", "fold_session")
    .add_edge("fold_session", END)
)

graph = builder.compile(name="evolution")


async def evolve(resources: Resources, scope: Scope, session_id: UUID) -> None:
    """Look at everything that waits in a session, without a checkpoint: for evaluations and tests."""
    context = JobContext(scope=scope, resources=resources)
    more = True
    while more:
        final = await graph.ainvoke({"session_id": str(session_id)}, context=context)  # pyright: ignore[reportArgumentType]
        more = final["more"]
