"""How a restored memory changes those that have taken its place: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from language.predicates import is_single_valued, object_key
from memory.memory_item import MemoryItem
from memory.provenance import RANK, provenance_level


@dataclass(frozen=True)
class Displacement:
    """Living memories that cannot be true beside a restored one: ``ended`` by it, or in an open conflict with it."""

    ended: tuple[MemoryItem, ...] = ()
    contested: tuple[MemoryItem, ...] = ()


def displace(before: MemoryItem, restored: MemoryItem, living: Sequence[MemoryItem]) -> Displacement:
    """Compare a restored memory with the living ones of its slot and with the one that had superseded it.

    It ends those that are founded no better. A constraint, and what is founded better, is not outvoted: the conflict
    stays open until somebody settles it.
    """
    against = [each for each in living if each.memory_id != restored.memory_id and _clash(before, restored, each)]
    ended = tuple(each for each in against if _gives_way(each, restored))
    return Displacement(ended=ended, contested=tuple(each for each in against if each not in ended))


def _clash(before: MemoryItem, restored: MemoryItem, other: MemoryItem) -> bool:
    if other.memory_id == before.superseded_by:
        return True
    if other.slot != restored.slot:
        return False
    same = object_key(other.object) == object_key(restored.object)
    if other.negated != restored.negated:
        return same
    return is_single_valued(restored.predicate) and not restored.negated and not same


def _gives_way(held: MemoryItem, restored: MemoryItem) -> bool:
    return held.memory_type != "constraint" and RANK[provenance_level(restored)] >= RANK[provenance_level(held)]
