"""Which memories of different people say the same, and how many people say the contrary."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from language.agreement import SAME_MEANING, opposes, says_the_same
from language.anonymity import speaks_of_oneself, tells_of_somebody
from language.encoder import Floats, is_installed, sentence_encoder
from memory.promotion import CountableMemory

OWN_TOPICS = frozenset(
    {
        "name", "birth", "home", "origin", "family", "partner", "friends", "pet", "health", "diet", "money", "belief",
        "contact", "appearance",
    }
)  # fmt: skip
"""Topics of which nobody's word about themselves is an organisation's affair."""
MAX_GROUPS = 50
"""Proposals of one count, the largest groups first: a person has to read each."""


@dataclass(frozen=True)
class MemoryGroup:
    """Memories that say the same, the most central one first, and how many people say the contrary."""

    memories: tuple[CountableMemory, ...]
    dissenters: int

    @property
    def people(self) -> int:
        """How many people said it."""
        return len({each.user_id for each in self.memories})

    @property
    def conflict_ratio(self) -> float:
        """The share of those who say the contrary."""
        return self.dissenters / (self.people + self.dissenters)


async def group_memories(memories: Sequence[CountableMemory], least_people: int) -> list[MemoryGroup]:
    """Groups of at least so many people, in a thread: it compares all with all. A memory is in one group at most."""
    return await asyncio.to_thread(_group, [each for each in memories if may_be_shared(each)], least_people)


def may_be_shared(memory: CountableMemory) -> bool:
    """Whether what a person told may be an organisation's affair: it is about nobody, and not about their own life."""
    is_own = memory.topic in OWN_TOPICS and speaks_of_oneself(memory.content)
    return not is_own and not tells_of_somebody(memory.content)


def _group(memories: Sequence[CountableMemory], least_people: int) -> list[MemoryGroup]:
    """Around each memory those that agree with it and with each other; the groups of most people are taken first."""
    if len({each.user_id for each in memories}) < least_people or not is_installed():
        return []
    meanings = sentence_encoder().encode([each.content for each in memories])
    cosines = meanings @ meanings.T
    around = [_gather(place, memories, cosines) for place in range(len(memories))]
    found: list[MemoryGroup] = []
    taken: set[int] = set()
    for places in sorted(around, key=lambda each: (-_people_in(each, memories), each)):
        free = [place for place in places if place not in taken]
        if free[:1] == places[:1] and _people_in(free, memories) >= least_people and len(found) < MAX_GROUPS:
            taken.update(free)
            found.append(MemoryGroup(tuple(memories[place] for place in free), _dissenters(free, memories, cosines)))
    return found


def _gather(centre: int, memories: Sequence[CountableMemory], cosines: Floats) -> list[int]:
    """The places of those that say what the centre says, nearest first, each agreeing with all before it."""
    gathered: list[int] = [centre]
    for place in map(int, np.argsort(-cosines[centre], kind="stable")):
        if cosines[centre, place] < SAME_MEANING:
            break
        if place != centre and all(_agree(place, each, memories, cosines) for each in gathered):
            gathered.append(place)
    return gathered


def _agree(one: int, other: int, memories: Sequence[CountableMemory], cosines: Floats) -> bool:
    return says_the_same(memories[one].content, memories[other].content, float(cosines[one, other]))


def _people_in(places: Sequence[int], memories: Sequence[CountableMemory]) -> int:
    return len({memories[place].user_id for place in places})


def _dissenters(places: Sequence[int], memories: Sequence[CountableMemory], cosines: Floats) -> int:
    """How many others say the contrary of one of these, and how many of these do so elsewhere."""
    return len({memories[other].user_id for other in _opposed(places, memories, cosines)})


def _opposed(places: Sequence[int], memories: Sequence[CountableMemory], cosines: Floats) -> Iterator[int]:
    for other in range(len(memories)):
        if other not in places and any(
            opposes(memories[place].content, memories[other].content, float(cosines[place, other])) for place in places
        ):
            yield other
