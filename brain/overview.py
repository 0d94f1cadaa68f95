"""What is known of somebody as a person would tell it: by kind, what matters first, and of every kind something."""

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Literal, get_args

from language.people import SPEAKER
from memory.index_rows import speaker_of
from memory.memory_item import ItemType, MemoryItem

KnownKind = Literal["constraint", "about", "preference", "plan", "noticed"]
"""In the order in which they are told: what has to be heeded before what is nice to know."""

_KINDS: Mapping[ItemType, KnownKind] = {
    "constraint": "constraint",
    "fact": "about",
    "relation": "about",
    "preference": "preference",
    "plan": "plan",
    "pattern": "noticed",
    "insight": "noticed",
    "summary": "noticed",
}


def kind_of(item: MemoryItem) -> KnownKind:
    """Under which heading it is told; what somebody else likes is nothing that the person likes."""
    kind = _KINDS[item.memory_type]
    return "about" if kind == "preference" and not _is_of_speaker(item) else kind


def choose_known(items: Sequence[MemoryItem], most: int) -> list[MemoryItem]:
    """The ``most`` that are told, by kind: the first of every kind before the second of any."""
    by_kind = [sorted((each for each in items if kind_of(each) == kind), key=_rank) for kind in get_args(KnownKind)]
    in_turns = (each for each in chain.from_iterable(zip_longest(*by_kind)) if each is not None)
    chosen = {each.memory_id for each, _ in zip(in_turns, range(most), strict=False)}
    return [each for kind in by_kind for each in kind if each.memory_id in chosen]


def _rank(item: MemoryItem) -> tuple[bool, float, float]:
    """What somebody pinned, then what is surest, then what is newest."""
    return item.use != "pinned", -item.confidence, -item.observed_at.timestamp()


def _is_of_speaker(item: MemoryItem) -> bool:
    """In a group a speaker goes by their name."""
    return item.subject in ("", SPEAKER, speaker_of(item))
