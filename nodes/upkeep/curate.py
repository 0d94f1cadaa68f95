"""Keep MEMORY up to what lasts."""

from collections.abc import Sequence
from datetime import datetime

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.upkeep.curation import Curated, Sources, curated, days_of_interest
from evolution.upkeep.reading import everything_living
from evolution.upkeep.state import Action, ActionOutcome, UpkeepState
from memory.contracts import Author
from memory.documents.document import MEMORY_NAME, PROFILE_NAME, Document, document_id, profile_kind
from memory.errors import BrainError
from memory.upkeep import Living

MOST_LIVING = 5_000
"""Memories that are weighed at most; who has more finds them by recall."""
NO_LONGER = "neither a note nor a memory says so any more, or there is no room"


async def curate(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Add what proved lasting, take out what is over; a person's own lines and deletions stand."""
    if "curate" not in state.steps:
        return {}
    errand, at = runtime.context, datetime.fromisoformat(state.at)
    held, sources = await _read(errand, at)
    made = curated(held, sources)
    if made is None:
        return {"actions": []}
    outcome: ActionOutcome = "planned" if state.dry_run else await _save(errand, made, held, at)
    return {"actions": _actions(made, outcome)}


async def _read(errand: Errand, at: datetime) -> tuple[Document | None, Sources]:
    memory, scope = errand.resources.memory, errand.scope
    standing = (
        document_id(scope, "memory", MEMORY_NAME),
        document_id(scope, profile_kind(scope), PROFILE_NAME),
    )
    found = await memory.documents.find(scope, standing)
    held = next((each for each in found if each.kind == "memory"), None)
    profile = next((each.body for each in found if each.kind != "memory"), "")
    days = days_of_interest(held, at)
    notes = await memory.documents.find(scope, [document_id(scope, "daily_note", day) for day in days])
    return held, Sources(
        notes={note.name: note for note in notes},
        living=await _living(errand),
        profile=profile,
        scope_key=scope.key,
        at=at,
    )


async def _living(errand: Errand) -> Sequence[Living]:
    found: list[Living] = []
    async for each in everything_living(errand.resources.memory.upkeep, errand.scope):
        found.append(each)
        if len(found) == MOST_LIVING:
            break
    return found


async def _save(errand: Errand, made: Curated, held: Document | None, at: datetime) -> ActionOutcome:
    version = held.version if held else 0
    author = Author(operator="upkeep", reason="curated", idempotency_key=f"upkeep:curate:{version}", at=at)
    try:
        await errand.resources.memory.documents.save(errand.scope, made.draft, version, author)
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        return "passed"
    return "done"


def _actions(made: Curated, outcome: ActionOutcome) -> list[Action]:
    added = [_action("add", (line.why, "", line.text), outcome) for line in made.added]
    removed = [_action("remove", (NO_LONGER, text, ""), outcome) for text in made.removed]
    return [*added, *removed]


def _action(change: str, told: tuple[str, str, str], outcome: ActionOutcome) -> Action:
    why, before, after = told
    return Action(
        step="curate", change=change, target=MEMORY_NAME, why=why, before=before, after=after, loses=0, outcome=outcome
    )
