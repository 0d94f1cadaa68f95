"""Does anything that was said belong in MEMORY, and what of it is over? After each turn, and in upkeep."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.state import EvolutionState
from evolution.upkeep.curation import Curation, CurationSources, build_curation, days_of_interest
from evolution.upkeep.state import ActionOutcome, UpkeepAction, UpkeepState
from memory.documents.document import MEMORY_NAME, PROFILE_NAME, Document, document_id, profile_kind
from memory.errors import BrainError
from memory.memory_item import Author
from memory.upkeep import PAGE, ActiveMemory, iterate_living

MAX_LIVING = 5_000
"""Memories that are weighed at most; who has more finds them by recall."""
NO_LONGER = "neither a note nor a memory says so any more, or there is no room"


@dataclass(frozen=True, kw_only=True)
class CurationInput:
    """MEMORY as it stands, and what it may be made of."""

    held: Document | None
    sources: CurationSources

    async def next_version(self) -> Curation | None:
        """What it should say; None when that is what it says. In a thread: it weighs thousands of memories."""
        return await asyncio.to_thread(build_curation, self.held, self.sources)


async def curate_memory(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """After something was written or noted, as of the newest turn. A MEMORY that others write to is left to them.

    Where there are more memories than fit on a page, upkeep curates them.
    """
    if not (state.noted or any(state.written.values())):
        return {}
    at = max(datetime.fromisoformat(turn["at"]) for turn in state.said)
    sources = await read_sources(runtime.context, at, within_page=True)
    if sources is not None:
        await save_if_new(runtime.context, sources)
    return {}


async def curate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Add what proved lasting, take out what is over; a person's own lines and deletions stand."""
    if "curate" not in state.steps:
        return {}
    context = runtime.context
    reading = await read_sources(context, datetime.fromisoformat(state.at))
    made = await reading.next_version() if reading else None
    if reading is None or made is None:
        return {"actions": []}
    if state.dry_run:
        return {"actions": _actions(made, "planned")}
    saved = await save_curation(context, reading, made)
    return {"actions": _actions(made, "done" if saved else "passed")}


async def read_sources(context: JobContext, at: datetime, *, within_page: bool = False) -> CurationInput | None:
    """Notes, living memories and the profile. None for more memories than fit on a page, where that is asked for."""
    living = await _load_living(context, PAGE if within_page else MAX_LIVING)
    if within_page and len(living) == PAGE:
        return None
    memory, scope = context.resources.memory, context.scope
    standing = (
        document_id(scope, "memory", MEMORY_NAME),
        document_id(scope, profile_kind(scope), PROFILE_NAME),
    )
    found = await memory.documents.find(scope, standing)
    held = next((each for each in found if each.kind == "memory"), None)
    profile = next((each.body for each in found if each.kind != "memory"), "")
    days = days_of_interest(held, at)
    notes = await memory.documents.find(scope, [document_id(scope, "daily_note", day) for day in days])
    sources = CurationSources(
        notes={note.name: note for note in notes}, living=living, profile=profile, scope_key=scope.key, at=at
    )
    return CurationInput(held=held, sources=sources)


async def save_if_new(context: JobContext, reading: CurationInput) -> bool:
    """Save what MEMORY should say; False where somebody else wrote to it meanwhile."""
    made = await reading.next_version()
    return made is None or await save_curation(context, reading, made)


async def refresh_curation(context: JobContext) -> None:
    """Bring MEMORY up to what is remembered now; one that others write to is left to them."""
    reading = await read_sources(context, context.resources.clock())
    if reading is not None:
        await save_if_new(context, reading)


async def save_curation(context: JobContext, reading: CurationInput, made: Curation) -> bool:
    """The next version; False where somebody else wrote one meanwhile."""
    version = reading.held.version if reading.held else 0
    author = Author(
        operator="upkeep",
        reason="curated",
        idempotency_key=f"upkeep:curate:{version}",
        at=context.resources.clock(),
    )
    try:
        await context.resources.memory.documents.save(context.scope, made.draft, version, author)
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        return False
    return True


async def _load_living(context: JobContext, most: int) -> Sequence[ActiveMemory]:
    found: list[ActiveMemory] = []
    async for each in iterate_living(context.resources.memory.upkeep, context.scope):
        found.append(each)
        if len(found) == most:
            break
    return found


def _actions(made: Curation, outcome: ActionOutcome) -> list[UpkeepAction]:
    added = [_action("add", (line.why, "", line.text), outcome) for line in made.added]
    removed = [_action("remove", (NO_LONGER, text, ""), outcome) for text in made.removed]
    return [*added, *removed]


def _action(change: str, told: tuple[str, str, str], outcome: ActionOutcome) -> UpkeepAction:
    why, before, after = told
    return UpkeepAction(
        step="curate", change=change, target=MEMORY_NAME, why=why, before=before, after=after, loses=0, outcome=outcome
    )
