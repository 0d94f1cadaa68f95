"""What do these turns say that is worth remembering?"""

from langgraph.runtime import Runtime

from brain.evolution.analysis_rules import by_rules
from brain.evolution.state import EvolutionState, Evolving, Update


async def analyze(state: EvolutionState, runtime: Runtime[Evolving]) -> Update:
    """The assertions of the turns, each with the span that proves it; small talk has none."""
    return {"candidates": by_rules(state.said, state.known)}
