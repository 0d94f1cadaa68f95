"""Reading what MEMORY may be made of, and saving what was made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from brain.job_context import JobContext
from evolution.upkeep.curation import Curation, CurationSources, build_curation, days_of_interest
from memory.contracts import Author
from memory.documents.document import MEMORY_NAME, PROFILE_NAME, Document, document_id, profile_kind
from memory.errors import BrainError
from memory.upkeep import PAGE, ActiveMemory, iterate_living

MOST_LIVING = 5_000
"""Memories that are weighed at most; who has more finds them by recall."""


@dataclass(frozen=True, kw_only=True)
class CurationInput:
    """MEMORY as it stands, and what it may be made of."""

    held: Document | None
    sources: CurationSources

    @property
    def next_version(self) -> Curation | None:
        """What it should say; None when that is what it says."""
        return build_curation(self.held, self.sources)


async def read_sources(errand: JobContext, at: datetime, *, within_page: bool = False) -> CurationInput | None:
    """Notes, living memories and the profile. None for more memories than fit on a page, where that is asked for."""
    living = await _living(errand, PAGE if within_page else MOST_LIVING)
    if within_page and len(living) == PAGE:
        return None
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
    sources = CurationSources(
        notes={note.name: note for note in notes}, living=living, profile=profile, scope_key=scope.key, at=at
    )
    return CurationInput(held=held, sources=sources)


async def save_if_new(errand: JobContext, reading: CurationInput) -> bool:
    """Save what MEMORY should say; False where somebody else wrote to it meanwhile."""
    return reading.next_version is None or await save_curation(errand, reading, reading.next_version)


async def refresh_curation(errand: JobContext) -> None:
    """Bring MEMORY up to what is remembered now; one that others write to is left to them."""
    reading = await read_sources(errand, errand.resources.clock())
    if reading is not None:
        await save_if_new(errand, reading)


async def save_curation(errand: JobContext, reading: CurationInput, made: Curation) -> bool:
    """The next version; False where somebody else wrote one meanwhile."""
    version = reading.held.version if reading.held else 0
    author = Author(
        operator="upkeep",
        reason="curated",
        idempotency_key=f"upkeep:curate:{version}",
        at=errand.resources.clock(),
    )
    try:
        await errand.resources.memory.documents.save(errand.scope, made.draft, version, author)
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        return False
    return True


async def _living(errand: JobContext, most: int) -> Sequence[ActiveMemory]:
    found: list[ActiveMemory] = []
    async for each in iterate_living(errand.resources.memory.upkeep, errand.scope):
        found.append(each)
        if len(found) == most:
            break
    return found
