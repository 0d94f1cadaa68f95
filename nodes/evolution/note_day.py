"""What did these turns leave for the day's note?"""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.noting import note_of_day
from evolution.state import EvolutionState


async def note_day(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Statements, decisions and tasks enter the note of the day on which they were said, each once."""
    return {"noted": await note_of_day(runtime.context, state.said)}
