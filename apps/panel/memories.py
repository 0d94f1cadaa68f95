"""What is remembered: the newest first, day by day, or by a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, get_args
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from starlette.responses import Response

from apps.panel.page import Visit
from brain.recall import RecallRequest, recall
from language.secrets import mask_secrets
from memory.errors import bad_request
from memory.memory_item import ItemStatus, ItemType, MemoryItem
from memory.recall.policy import RankedCandidate

TYPES: tuple[ItemType, ...] = get_args(ItemType)
STATUSES: tuple[str, ...] = (*get_args(ItemStatus), "all")
MAX_LISTED = 2_000
"""Memories that are listed; older ones are found by asking for them."""
PER_PAGE = 50
MAX_FOUND = 30


@dataclass(frozen=True, kw_only=True)
class MemoryFilter:
    """Which memories to list; empty for any. ``question`` asks for what bears on it."""

    question: str = ""
    type: str = ""
    status: str = "active"

    def matches(self, item: MemoryItem) -> bool:
        """Whether the memory is among those that are wanted."""
        return self.type in ("", item.memory_type) and self.status in ("all", item.status)

    def query(self, page: int) -> str:
        """The address of a page of them."""
        values = {"q": self.question, "type": self.type, "status": self.status, "page": str(page)}
        return urlencode(values)


@dataclass(frozen=True, kw_only=True)
class MemoryHit:
    """Something that bears on a question, and the page that tells more of it."""

    href: str
    text: str
    lane: str
    speaker: str
    at: datetime
    score: float
    item: MemoryItem | None = None


async def list_memories(visit: Visit) -> Response:
    """Search results for a question, otherwise a timeline."""
    chosen = read_filter(visit)
    if chosen.question:
        hits = await find_hits(visit, chosen)
        return visit.render(
            "memories.html", **_form_values(chosen), hits=hits, days=[], pages=0, page=1, total=len(hits)
        )
    everything = chosen.status != "active"
    newest = await visit.memory.items.list_newest(visit.scope, include_inactive=everything, limit=MAX_LISTED)
    fitting = [each for each in newest if chosen.matches(each)]
    pages = -(-len(fitting) // PER_PAGE)
    page = min(_read_page(visit), max(pages, 1))
    days = group_by_day(fitting[(page - 1) * PER_PAGE : page * PER_PAGE], visit.zone)
    return visit.render(
        "memories.html",
        **_form_values(chosen) | {"all_chosen": visit.read_query("all", 1) == "1"},
        hits=[],
        days=days,
        pages=pages,
        page=page,
        total=len(fitting),
    )


def read_filter(visit: Visit) -> MemoryFilter:
    """The filter of the address. Raises ``E_BAD_REQUEST`` for types and statuses that there are not."""
    chosen = MemoryFilter(
        question=visit.read_query("q", 2_000),
        type=visit.read_query("type", 40),
        status=visit.read_query("status", 40) or "active",
    )
    if chosen.type not in ("", *TYPES) or chosen.status not in STATUSES:
        raise bad_request("There is no such type or status.", "Choose one of the list.")
    return chosen


async def find_hits(visit: Visit, chosen: MemoryFilter) -> list[MemoryHit]:
    """What bears on the question, best first; of memories only those that fit the filter."""
    asked = RecallRequest(text=chosen.question, at=visit.resources.clock(), time_zone=visit.zone, limit=MAX_FOUND)
    found = await recall(visit.resources, visit.scope, asked)
    ids = [each.candidate.source_id for each in found.ranked if each.candidate.lane == "fact"]
    items = {each.memory_id: each for each in await visit.memory.items.get_many(visit.scope, ids)}
    hits = [_hit(each, items.get(each.candidate.source_id)) for each in found.ranked]
    return [each for each in hits if (chosen.matches(each.item) if each.item else not chosen.type)]


async def fetch_living(visit: Visit, ids: Sequence[UUID]) -> dict[UUID, MemoryItem]:
    """Memories by id, without those that were forgotten."""
    found = await visit.memory.items.get_many(visit.scope, list(dict.fromkeys(ids)))
    return {each.memory_id: each for each in found if each.status != "deleted"}


def group_by_day(items: Sequence[MemoryItem], time_zone: str) -> list[tuple[str, list[MemoryItem]]]:
    """The memories under the days on which they last changed, in their order."""
    zone = ZoneInfo(time_zone)
    grouped = groupby(items, key=lambda each: each.updated_at.astimezone(zone).strftime("%Y-%m-%d"))
    return [(day, list(of_day)) for day, of_day in grouped]


def _hit(ranked: RankedCandidate, item: MemoryItem | None) -> MemoryHit:
    found = ranked.candidate
    return MemoryHit(
        href=_page_of(found.lane, found.source_id, found.session_id),
        text=mask_secrets(found.text),
        lane=found.lane,
        speaker=found.speaker,
        at=found.observed_at,
        score=ranked.score,
        item=item,
    )


def _page_of(lane: str, source_id: UUID, session_id: UUID | None) -> str:
    """Where more is told: a memory has a page, the rest stands in a conversation or a document."""
    if lane == "fact":
        return f"/panel/memories/{source_id}"
    if lane == "document":
        return "/panel/documents"
    return f"/panel/conversations/{session_id}" if session_id else ""


def _form_values(chosen: MemoryFilter) -> dict[str, Any]:
    return {"chosen": chosen, "all_chosen": False, "types": TYPES, "statuses": STATUSES, "most": MAX_LISTED}


def _read_page(visit: Visit) -> int:
    typed = visit.read_query("page", 10)
    return max(int(typed), 1) if typed.isascii() and typed.isdigit() else 1
