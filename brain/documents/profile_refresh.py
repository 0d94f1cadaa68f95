"""Bringing the profile of a scope up to what is remembered now."""

from uuid import UUID

from brain.documents.profile import ProfileSource, draft_profile, first_event
from brain.documents.profile_choice import BY_WORDS, PROMPT_TOKENS
from brain.resources import Resources
from memory.documents.document import PROFILE_NAME, Document, document_id, profile_kind
from memory.errors import BrainError
from memory.memory_item import Author, MemoryItem
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.zones import require_zone

MAX_NEWEST = 500
MAX_MOST_USED = 50
"""Memories whose use is told apart: far more than a prompt has room for."""
ATTEMPTS = 3


async def refresh_profile(resources: Resources, scope: Scope, time_zone: str = "") -> Document | None:
    """Save the profile anew where memories say something else by now; None where nothing changed.

    Days are told in ``time_zone``, or else in the zone that they were told in last. Raises ``E_CONFLICT`` when others
    keep writing to it at the same time.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return await _refresh_once(resources, scope, time_zone)
        except BrainError as error:
            if error.code != "E_CONFLICT" or attempt == ATTEMPTS:
                raise
    return None


async def try_refresh_profile(resources: Resources, scope: Scope, time_zone: str = "") -> bool:
    """Refresh it behind a conversation; False where others keep writing to it: a later run brings it up to date."""
    try:
        await refresh_profile(resources, scope, time_zone)
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        return False
    return True


async def _refresh_once(resources: Resources, scope: Scope, time_zone: str) -> Document | None:
    memory, at = resources.memory, resources.clock()
    found = await memory.documents.find(scope, (document_id(scope, profile_kind(scope), PROFILE_NAME),))
    held = found[0] if found else None
    items = await memory.items.list_newest(scope, limit=MAX_NEWEST)
    speakers = await _load_speakers(memory, scope, items) if scope.is_group else {}
    zone = time_zone or _document_zone(held, resources.settings.time_zone)
    uses = await memory.index.most_used(scope, MAX_MOST_USED)
    room = PROMPT_TOKENS if resources.embedder else BY_WORDS
    source = ProfileSource(items=items, at=at, time_zone=zone, speakers=speakers, uses=uses, room=room)
    draft = draft_profile(scope, held, source)
    if draft is None:
        return None
    version = held.version if held else 0
    author = Author(operator="brain", reason="memories changed", idempotency_key=f"profile:{version}", at=at)
    return await memory.documents.save(scope, draft, version, author)


def _document_zone(held: Document | None, default: str) -> str:
    """A person may have edited it: what is no zone does not count."""
    told = str(held.front.get("time_zone", "")) if held else ""
    try:
        require_zone(told)
    except BrainError:
        return default
    return told


async def _load_speakers(memory: MemoryCore, scope: Scope, items: list[MemoryItem]) -> dict[str, str]:
    """Who said the turns that the memories of a group were taken from."""
    cited = {event for item in items if (event := first_event(item))}
    events = await memory.log.events(scope, [UUID(each) for each in cited])
    return {str(event.event_id): event.speaker for event in events}
