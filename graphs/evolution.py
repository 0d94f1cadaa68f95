"""What grows behind the conversation: from a session's waiting turns to versioned memories."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from uuid import UUID

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from brain.errand import Errand
from brain.resources import Resources
from evolution.state import Asked, EvolutionState
from graphs.brain import storage
from graphs.metered import Behind
from graphs.owned import owned
from memory.scope import Scope
from nodes.evolution.absolutize import absolutize, needs_another_round
from nodes.evolution.analyze import analyze
from nodes.evolution.correct import correct
from nodes.evolution.curate_memory import curate_memory
from nodes.evolution.fold_session import fold_session
from nodes.evolution.gate import gate
from nodes.evolution.merge_profiles import merge_profiles
from nodes.evolution.normalize import normalize
from nodes.evolution.note_day import note_day
from nodes.evolution.observe import observe, what_now
from nodes.evolution.reconcile import reconcile
from nodes.evolution.write import write

counted = Behind("evolution")

builder = (
    StateGraph(EvolutionState, context_schema=Claim, input_schema=Asked)
    .add_node("observe", owned(observe), retry_policy=storage)
    .add_node("correct", owned(correct), retry_policy=storage)
    .add_node("analyze", owned(counted(analyze)))
    .add_node("absolutize", owned(counted(absolutize)))
    .add_node("normalize", owned(normalize))
    .add_node("reconcile", owned(reconcile))
    .add_node("gate", owned(gate))
    .add_node("write", owned(write), retry_policy=storage)
    .add_node("merge_profiles", owned(merge_profiles), retry_policy=storage)
    .add_node("note_day", owned(note_day), retry_policy=storage)
    .add_node("curate_memory", owned(curate_memory), retry_policy=storage)
    .add_node("fold_session", owned(counted(fold_session)), retry_policy=storage)
    .add_edge(START, "observe")
    .add_conditional_edges("observe", what_now, ["correct", "analyze", "write"])
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
    errand = Errand(scope=scope, resources=resources)
    more = True
    while more:
        final = await graph.ainvoke({"session_id": str(session_id)}, context=errand)  # pyright: ignore[reportArgumentType]
        more = final["more"]
