"""Repairs memories: one whose evidence no longer matches is extracted from its turns again; one whose words nobody said
is taken back, a false slip together with what it did to others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from brain.resources import Resources
from evolution.extraction.rules import extract_by_rules
from evolution.normalize import normalize_candidates
from evolution.state import TurnRecord, to_logged_turn
from evolution.write import draft_memory
from memory.founding import is_founded
from memory.memory_item import Author, Citation, MemoryItem, MemoryVersion
from memory.paging import Cursor
from memory.provenance import events_of
from memory.scope import Scope
from memory.turns import Event
from memory.upkeep import UpkeepChange
from memory.versions import last_version_in_use

RULES = "rules"
_PAGE = 500


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


@dataclass(frozen=True)
class FalseSlip:
    """``wrong`` says what nobody said; ``taken_back`` are the memories that it put an end to."""

    wrong: MemoryItem
    taken_back: tuple[MemoryItem, ...]


async def find_unfounded(resources: Resources, scope: Scope) -> list[MemoryItem]:
    """The person's living memories whose words do not stand in their cited turns, newest first."""
    living = [each for each in await _list_all(resources, scope) if each.status == "active" and events_of(each)]
    return await _select_unfounded(resources, scope, living)


async def find_false_slips(resources: Resources, scope: Scope) -> list[FalseSlip]:
    """Unfounded memories that rules alone wrote, with what they retracted; untouched by anybody since."""
    items = await _list_all(resources, scope)
    wrong = await _select_unfounded(resources, scope, [each for each in items if each.status == "active"])
    found = [FalseSlip(each, tuple(await _taken_back_by(resources, scope, each, items))) for each in wrong]
    alone = [each for each in found if await _is_by_rules(resources, scope, each.wrong, ("create",))]
    return [each for each in alone if each.taken_back]


async def repair_false_slip(resources: Resources, scope: Scope, slip: FalseSlip) -> None:
    """Retract what nobody said, bring back what it took back, and keep what the turn does say."""
    items, upkeep = resources.memory.items, resources.memory.upkeep
    wrong = slip.wrong
    change = UpkeepChange(memory_id=wrong.memory_id, version=wrong.version, change="repair", status="retracted")
    await upkeep.apply_change(scope, change, _author(resources, wrong))
    for held in slip.taken_back:
        version = last_version_in_use(await items.history(scope, held.memory_id))
        await items.restore(scope, held.memory_id, version, _author(resources, held))
    await _note_what_was_said(resources, scope, wrong)


async def _note_what_was_said(resources: Resources, scope: Scope, wrong: MemoryItem) -> None:
    events = await resources.memory.log.events(scope, [UUID(each) for each in events_of(wrong)])
    said = [to_logged_turn(each) for each in events]
    turns = {turn["event_id"]: turn for turn in said}
    for each in normalize_candidates(extract_by_rules(said), said):
        draft = draft_memory(each, turns[each["event_id"]])
        if draft.slot != wrong.slot:
            await resources.memory.items.write(scope, draft, _author(resources, wrong, f":{draft.slot}"))


def _find_citations(said: list[TurnRecord], slot: str, value: str) -> list[Citation]:
    """The spans of these turns that state the value."""
    turns = {turn["event_id"]: turn for turn in said}
    drafts = [
        draft_memory(each, turns[each["event_id"]]) for each in normalize_candidates(extract_by_rules(said), said)
    ]
    return [cited for draft in drafts if (draft.slot, draft.object) == (slot, value) for cited in draft.citations]


def _author(resources: Resources, item: MemoryItem, part: str = "") -> Author:
    key = f"false-slip:{item.memory_id}:{item.version}{part}"
    return Author(operator="repair", reason="a slip was seen where none was", idempotency_key=key, at=resources.clock())


async def _list_all(resources: Resources, scope: Scope) -> list[MemoryItem]:
    """Every memory of the person, page by page, those that are over too."""
    listed, after = list[MemoryItem](), None
    while page := await resources.memory.items.list_newest(scope, include_inactive=True, limit=_PAGE, after=after):
        listed += page
        after = Cursor(page[-1].updated_at, page[-1].memory_id)
    return [item for item in listed if item.user_id == scope.user_id]


async def _select_unfounded(resources: Resources, scope: Scope, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    ids = list(dict.fromkeys(UUID(event) for item in items for event in events_of(item)))
    texts: dict[str, Event] = {}
    for start in range(0, len(ids), _PAGE):
        page = await resources.memory.log.events(scope, ids[start : start + _PAGE])
        texts |= {str(event.event_id): event for event in page}
    return [item for item in items if not is_founded(item, _cited(item, texts))]


def _cited(item: MemoryItem, texts: dict[str, Event]) -> list[str]:
    return [texts[event].text for event in events_of(item) if event in texts]


async def _taken_back_by(
    resources: Resources, scope: Scope, wrong: MemoryItem, items: Sequence[MemoryItem]
) -> list[MemoryItem]:
    """What a memory's turns retracted and rules alone touched since."""
    turns = set(events_of(wrong))
    ended = [
        item
        for item in items
        if item.memory_id != wrong.memory_id and (_ended_by(item) & turns or item.superseded_by == wrong.memory_id)
    ]
    last = ("create", "merge", "retract", "supersede")
    return [item for item in ended if await _is_by_rules(resources, scope, item, last)]


def _ended_by(item: MemoryItem) -> set[str]:
    told: Any = item.provenance.get("ended_by", ())
    return set(map(str, told)) if item.status == "retracted" else set()


async def _is_by_rules(resources: Resources, scope: Scope, item: MemoryItem, changes: Sequence[str]) -> bool:
    """Whether every version of it was written by rules, by these changes only."""
    versions: Sequence[MemoryVersion] = await resources.memory.items.history(scope, item.memory_id)
    return all(each.operator == RULES and each.change in changes for each in versions)
