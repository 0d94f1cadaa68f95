"""Who takes a place: a fact, a summary and their turns say the same, so only the best of them stands high."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from uuid import UUID

from memory.ranking.ranked import Ranked
from memory.recall_query import Candidate


@dataclass
class _Said:
    """What stands above, by the turns it rests on: how far they are told, and how much of the question they answer."""

    told: dict[UUID, float] = field(default_factory=dict[UUID, float])
    answered: dict[UUID, float] = field(default_factory=dict[UUID, float])

    def repeats(self, one: Candidate) -> bool:
        """A turn repeats a fact that cites it; a fact repeats when every turn it cites stands above.

        A summary tells only as much of its turns as it answers, and repeats when one of them answers as much above it.
        """
        if one.lane == "summary":
            return any(self.answered.get(turn, -1.0) >= one.coverage for turn in one.derived_from)
        return all(self.told.get(turn, -1.0) >= one.coverage for turn in one.derived_from or (one.source_id,))

    def add(self, one: Candidate) -> None:
        """It stands above whatever comes now."""
        wholly = one.coverage if one.lane == "summary" else inf
        for turn in (one.source_id, *one.derived_from):
            self.told[turn] = max(wholly, self.told.get(turn, 0.0))
            if one.lane != "summary":
                self.answered[turn] = max(one.coverage, self.answered.get(turn, 0.0))


def without_echoes(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same memories; whatever repeats one above it moves behind all that do not."""
    placed, echoes, said = list[Ranked](), list[Ranked](), _Said()
    for each in ranked:
        if said.repeats(each.candidate):
            echoes.append(Ranked(candidate=each.candidate, score=each.score, signals={**each.signals, "echo": 1.0}))
        else:
            placed.append(each)
            said.add(each.candidate)
    return placed + echoes


def without_repeats(ranked: Sequence[Ranked], question: str) -> list[Ranked]:
    """The same memories; turns that only say again what stands above, or what is being asked, move behind the rest."""
    placed, repeats, said = list[Ranked](), list[Ranked](), {_words(question)}
    for each in ranked:
        words = _words(each.candidate.text)
        if each.candidate.lane == "turn" and words in said:
            repeats.append(Ranked(candidate=each.candidate, score=each.score, signals={**each.signals, "repeat": 1.0}))
        else:
            placed.append(each)
            said.add(words)
    return placed + repeats


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,!?;:。，！？；：")
