"""What a person takes back, by rules alone: it is written before anybody is asked."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brain.errand import Errand
from evolution.extraction.rules import by_rules
from evolution.gating import gated
from evolution.knowing import corrects, known_of
from evolution.normalizing import normalized
from evolution.reconciling import reconciled
from evolution.speaking import spoken
from evolution.state import Candidate, EvolutionState, Known, Said
from memory.contracts import MemoryItem
from memory.deciding import among
from memory.rules import extract, object_key
from memory.rules.replacements import CORRECTS

RECENT = 500
"""Memories among which the one that a bare correction means is looked for."""
_SURE = 0.9


@dataclass(frozen=True)
class Bare:
    """«Not X but Y»: it means the memory that holds X, or held it until Y came."""

    wrong: str
    right: str
    event_id: str


async def taken_back_unseen(errand: Errand, state: EvolutionState) -> list[Candidate]:
    """Statements of this very batch that a later turn of it takes back: nobody remembers them yet."""
    meant = await asyncio.to_thread(_all_taken_back, state.said)
    if not meant:
        return []
    own = await _recent(errand)
    unseen = [each for each in meant if not any(_held(item, each, own) for item in own)]
    stated = await asyncio.to_thread(by_rules, state.said if unseen else [], ())
    place = {turn["event_id"]: number for number, turn in enumerate(state.said)}
    found = [
        candidate
        for candidate in stated
        for each in unseen
        if _names(candidate, each) and place[candidate["event_id"]] < place[each.event_id]
    ]
    return _ready(state, found)


async def corrections(errand: Errand, state: EvolutionState) -> list[Candidate]:
    """Candidates of the turns that take something back, ready to be written."""
    turns = [turn for turn in state.said if corrects(turn)]
    meant = await _meant(errand, turns)
    stated = await asyncio.to_thread(by_rules, turns, meant)
    found = [each for each in stated if each["replaces"] or each["confidence"] >= _SURE]
    return _ready(replace(state, known=[*state.known, *meant]), found)


async def carried_out_at_once(errand: Errand, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that may be written before the turns ahead of them are understood.

    Where there is room for one value, whatever those turns turn out to say comes too late. Where there is room for
    many, what is taken back has to live already: taken back first and stated afterwards, it would stay.
    """
    own = await _recent(errand) if any(_needs_the_old(each) for each in candidates) else []
    return [each for each in candidates if not _needs_the_old(each) or any(_loses(item, each) for item in own)]


def _needs_the_old(candidate: Candidate) -> bool:
    return bool(candidate["replaces"]) and not candidate["single_valued"]


def _loses(item: MemoryItem, candidate: Candidate) -> bool:
    held, old = object_key(item.object), object_key(candidate["replaces"])
    in_slot = item.status == "active" and item.slot == candidate["slot"]
    return str(item.memory_id) == candidate["replaces_memory"] or (in_slot and (held == old or among(old, held)))


def _ready(state: EvolutionState, found: Sequence[Candidate]) -> list[Candidate]:
    """Through the same checks that every candidate passes."""
    news, _ = reconciled(replace(state, candidates=normalized(found, state.said)))
    return gated(news, state.said)[0]


async def _meant(errand: Errand, turns: Sequence[Said]) -> list[Known]:
    pairs = await asyncio.to_thread(_all_bare, turns)
    own = await _recent(errand) if pairs else []
    return [known_of(item) for item in own if any(_held(item, each, own) for each in pairs)]


async def _recent(errand: Errand) -> list[MemoryItem]:
    scope, items = errand.scope, errand.resources.memory.items
    recent = await items.newest(scope, include_inactive=True, limit=RECENT)
    return [item for item in recent if item.user_id == scope.user_id]


def _names(candidate: Candidate, taken_back: Bare) -> bool:
    stated = object_key(candidate["object"])
    return stated == taken_back.wrong or among(taken_back.wrong, stated)


def _all_bare(turns: Sequence[Said]) -> list[Bare]:
    """Read in one go, beside the event loop."""
    return [each for each, bare in _taken_back(turns) if bare]


def _all_taken_back(turns: Sequence[Said]) -> list[Bare]:
    """Those that say what it is about as well."""
    return [each for each, _ in _taken_back(turns)]


def _taken_back(turns: Sequence[Said]) -> Iterator[tuple[Bare, bool]]:
    for turn in turns:
        for each in extract(spoken(turn)) if corrects(turn) else ():
            if each.correction and each.correction.old:
                taken = Bare(object_key(each.correction.old), object_key(each.object), turn["event_id"])
                yield taken, each.predicate == CORRECTS.predicate


def _held(item: MemoryItem, bare: Bare, items: Sequence[MemoryItem]) -> bool:
    if object_key(item.object) != bare.wrong:
        return False
    successor = next((each for each in items if each.memory_id == item.superseded_by), None)
    return item.status == "active" or (successor is not None and object_key(successor.object) == bare.right)
