"""What did these turns leave for the day's note?"""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.day_note import write_day_note
from evolution.state import EvolutionState


async def note_day(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Statements, decisions and tasks enter the note of the day on which they were said, each once."""
    return {"noted": await write_day_note(runtime.context, state.said)}
