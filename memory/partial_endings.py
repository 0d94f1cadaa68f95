"""Memories that live on beside what contradicts them, or a part of them: pure changes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from language.predicates import has_whole_words, object_key
from memory.memory_item import MemoryItem
from memory.provenance import DOUBTED, PARTS_OVER, events_of
from memory.revision import next_version


def rest_on_both(item: MemoryItem, corrected: Sequence[MemoryItem]) -> MemoryItem:
    """A memory that a correction made of older words, which rests on their turns as well."""
    before = [event for each in corrected for event in events_of(each) if event not in events_of(item)]
    events = list(dict.fromkeys((*events_of(item), *before)))
    return replace(item, provenance={**item.provenance, "events": events, "overruled": before})


@dataclass(frozen=True, kw_only=True)
class PartOver:
    """``over`` are words of a memory that no longer hold, ``instead`` what holds now; ``events`` are who said so."""

    over: str
    instead: str
    events: tuple[str, ...]


def note_part_over(item: MemoryItem, part: PartOver, at: datetime) -> MemoryItem:
    """One thing that it says is over; it goes on saying the others."""
    noted = [*_raw_parts(item), {"over": part.over, "instead": part.instead, "events": list(part.events)}]
    return next_version(item, at, provenance={**item.provenance, PARTS_OVER: noted})


def parts_over(item: MemoryItem) -> list[PartOver]:
    """What of a memory is over, in the order in which it was said."""
    return [
        PartOver(over=str(each["over"]), instead=str(each["instead"]), events=tuple(map(str, each["events"])))
        for each in _raw_parts(item)
    ]


def _raw_parts(item: MemoryItem) -> list[Mapping[str, Any]]:
    noted: Any = item.provenance.get(PARTS_OVER, ())
    return list(noted)


def lift_doubt(item: MemoryItem, gone: Collection[str], at: datetime) -> MemoryItem:
    """Without the doubts, and the parts that are over, that rest on turns which say so no longer; itself if none do."""
    doubts = [each for each in _doubting(item) if each not in gone]
    parts = [each for each in _raw_parts(item) if not set(map(str, each["events"])) <= set(gone)]
    kept = {name: value for name, value in item.provenance.items() if name not in (DOUBTED, PARTS_OVER)}
    provenance = kept | ({DOUBTED: doubts} if doubts else {}) | ({PARTS_OVER: parts} if parts else {})
    return item if provenance == item.provenance else next_version(item, at, provenance=provenance)


def inherit_doubts(heir: MemoryItem, before: MemoryItem, at: datetime) -> MemoryItem:
    """With the doubts of a memory that it takes the place of, and those of its parts that it says; itself if none."""
    said = object_key(heir.content)
    parts = [each for each in _raw_parts(before) if has_whole_words(said, object_key(str(each["over"])))]
    told = ({DOUBTED: _doubting(before)} if _doubting(before) else {}) | ({PARTS_OVER: parts} if parts else {})
    inherits = heir.status == "active" and bool(told)
    return next_version(heir, at, provenance={**heir.provenance, **told}) if inherits else heir


def _doubting(item: MemoryItem) -> list[str]:
    told: Any = item.provenance.get(DOUBTED, ())
    return [str(event) for event in told]
