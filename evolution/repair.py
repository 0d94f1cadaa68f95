"""Repairs memories whose evidence no longer matches: they are extracted from their turns again."""

from uuid import UUID

from brain.resources import Resources
from evolution.extraction.rules import extract_by_rules
from evolution.normalize import normalize_candidates
from evolution.state import TurnRecord, to_logged_turn
from evolution.write import draft_memory
from memory.contracts import Author, Citation
from memory.scope import Scope


async def repair_memory(resources: Resources, scope: Scope, memory_id: UUID) -> bool:
    """Look again at the turns behind a stale memory: what they still say is cited anew, what none says is retracted."""
    items, log = resources.memory.items, resources.memory.log
    item = await items.get(scope, memory_id)
    if not item.stale or item.status != "active":
        return False
    events = await log.events(scope, [each.event_id for each in await items.evidence(scope, memory_id)])
    found = _find_citations([to_logged_turn(event) for event in events], item.slot, item.object)
    key = f"repair:{memory_id}:{item.version}"
    author = Author(operator="repair", reason="its evidence changed", idempotency_key=key, at=resources.clock())
    await items.replace_citations(scope, memory_id, found, author)
    return bool(found)


def _find_citations(said: list[TurnRecord], slot: str, value: str) -> list[Citation]:
    """The spans of these turns that state the value."""
    turns = {turn["event_id"]: turn for turn in said}
    drafts = [
        draft_memory(each, turns[each["event_id"]]) for each in normalize_candidates(extract_by_rules(said), said)
    ]
    return [cited for draft in drafts if (draft.slot, draft.object) == (slot, value) for cited in draft.citations]
