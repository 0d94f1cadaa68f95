"""What do these turns say that is worth remembering?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.evolution.analysis.model import analysed
from brain.evolution.analysis.prompt import Reading
from brain.evolution.analysis.small_talk import states_something
from brain.evolution.state import EvolutionState
from brain.state import Update


async def analyze(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """The assertions of the turns, each with the span that proves it; small talk has none and costs no model."""
    if not states_something(state.said):
        return {"candidates": []}
    reading = Reading(said=state.said, before=state.before, known=state.known)
    found = await analysed(runtime.context.resources.models, reading)
    return {"candidates": list(found.candidates), "dropped": list(found.dropped), "degraded": list(found.degraded)}
