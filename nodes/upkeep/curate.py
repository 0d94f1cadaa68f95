"""Keep MEMORY to what lasts."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.curate import read_sources, save_curation
from evolution.upkeep.curation import Curation
from evolution.upkeep.state import ActionOutcome, UpkeepAction, UpkeepState
from memory.documents.document import MEMORY_NAME

NO_LONGER = "neither a note nor a memory says so any more, or there is no room"


async def curate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Add what proved lasting, take out what is over; a person's own lines and deletions stand."""
    if "curate" not in state.steps:
        return {}
    context = runtime.context
    reading = await read_sources(context, datetime.fromisoformat(state.at))
    made = reading.next_version if reading else None
    if reading is None or made is None:
        return {"actions": []}
    if state.dry_run:
        return {"actions": _actions(made, "planned")}
    saved = await save_curation(context, reading, made)
    return {"actions": _actions(made, "done" if saved else "passed")}


def _actions(made: Curation, outcome: ActionOutcome) -> list[UpkeepAction]:
    added = [_action("add", (line.why, "", line.text), outcome) for line in made.added]
    removed = [_action("remove", (NO_LONGER, text, ""), outcome) for text in made.removed]
    return [*added, *removed]


def _action(change: str, told: tuple[str, str, str], outcome: ActionOutcome) -> UpkeepAction:
    why, before, after = told
    return UpkeepAction(
        step="curate", change=change, target=MEMORY_NAME, why=why, before=before, after=after, loses=0, outcome=outcome
    )
