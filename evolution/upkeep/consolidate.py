"""Put one memory in the place of several that say the same (S0 section 2.3.0.1, D).

Nearness alone would merge green tea with black tea. So one object must contain the other's words, with the same
negations: the fullest of them then says all that the others say, and consolidating loses no word.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import apply_changes
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import PlannedChange, UpkeepVerdict
from language.tables import pattern_of_all
from language.terms import fold, word_terms
from memory.memory_item import MemoryItem
from memory.upkeep import ActiveMemory, Consolidation, SimilarPair, iterate_living

MIN_SIMILARITY = 0.85
"""Similarity over which memories may say the same."""
MIN_MEMORIES = 3
"""From so many on they are consolidated."""
MAX_PAIRS = 2_000


async def consolidate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Three or more of one matter become one that rests on all their evidence; the originals are superseded by it."""
    if "consolidate" not in state.steps:
        return {}
    context = runtime.context
    upkeep = context.resources.memory.upkeep
    pairs = await upkeep.find_similar(context.scope, MIN_SIMILARITY, MAX_PAIRS)
    concerned = {memory_id for pair in pairs for memory_id in (pair.a, pair.b)}
    everything = iterate_living(upkeep, context.scope) if concerned else None
    living = {each.item.memory_id: each async for each in everything} if everything else {}
    planned = [PlannedChange(propose_merge(items), items) for items in find_clusters(pairs, living)]
    return await apply_changes(state, runtime, "consolidate", planned)


@dataclass
class _NeighbourGraph:
    """Which memories are near to which."""

    near: dict[UUID, set[UUID]] = field(default_factory=dict[UUID, set[UUID]])

    def join(self, a: UUID, b: UUID) -> None:
        self.near.setdefault(a, set()).add(b)
        self.near.setdefault(b, set()).add(a)


def find_clusters(
    pairs: Sequence[SimilarPair], living: Mapping[UUID, ActiveMemory]
) -> Iterator[tuple[MemoryItem, ...]]:
    """Groups of at least three in which everybody is near to everybody; the fullest first. No memory is in two."""
    neighbours = _NeighbourGraph()
    for pair in pairs:
        a, b = living.get(pair.a), living.get(pair.b)
        if a and b and _is_mergeable(a) and _is_mergeable(b) and is_same_statement(a.item, b.item):
            neighbours.join(pair.a, pair.b)
    taken: set[UUID] = set()
    for memory_id in sorted(neighbours.near, key=lambda each: _fullness(living[each].item), reverse=True):
        group = _group(memory_id, neighbours, taken, living)
        if len(group) >= MIN_MEMORIES:
            taken.update(group)
            yield tuple(living[each].item for each in group)


def propose_merge(items: Sequence[MemoryItem]) -> UpkeepVerdict:
    """One memory in the place of these."""
    members = tuple((item.memory_id, item.version) for item in items)
    return UpkeepVerdict(
        Consolidation(members=members), f"{len(items)} memories say the same, nearer than {MIN_SIMILARITY}"
    )


def is_same_statement(a: MemoryItem, b: MemoryItem) -> bool:
    """One object holds all words of the other, and nothing that turns its sense around."""
    if a.memory_type != b.memory_type or _negations(a) != _negations(b):
        return False
    left, right = _words(a), _words(b)
    return bool(left and right) and (left <= right or right <= left)


def _is_mergeable(living: ActiveMemory) -> bool:
    """What a person brought back stays apart; constraints keep their own words; the outdated are nobody's present."""
    item = living.item
    return living.last_change != "restore" and item.memory_type != "constraint" and item.epistemic_type != "outdated"


def _group(
    seed: UUID, neighbours: _NeighbourGraph, taken: set[UUID], living: Mapping[UUID, ActiveMemory]
) -> list[UUID]:
    group = [seed] if seed not in taken else []
    for other in sorted(neighbours.near[seed] - taken, key=lambda each: _fullness(living[each].item), reverse=True):
        if group and all(other in neighbours.near[member] for member in group):
            group.append(other)
    return group


def _fullness(item: MemoryItem) -> tuple[int, float, str]:
    return len(_words(item)), item.confidence, str(item.memory_id)


def _words(item: MemoryItem) -> frozenset[str]:
    return frozenset(word_terms(fold(item.object)))


def _negations(item: MemoryItem) -> int:
    return len(pattern_of_all("consolidate.negating").findall(item.object))
