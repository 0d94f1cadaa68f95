"""What do these turns say that is worth remembering?"""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.extraction.analyze import analyze_turns
from evolution.extraction.prompt import ExtractionInput
from evolution.extraction.small_talk import states_something
from evolution.state import EvolutionState


async def analyze(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """The assertions of the turns, each with the span that proves it; small talk has none and costs no model."""
    if not states_something(state.said):
        return {"candidates": []}
    reading = ExtractionInput(said=state.said, before=state.before, known=state.known)
    found = await analyze_turns(runtime.context.resources.models, reading)
    return {
        "candidates": list(found.candidates),
        "dropped": list(found.dropped),
        "degraded": list(found.degraded),
        "judge": found.judge,
    }
