"""Who takes a place: a fact, a summary and their turns say the same, so only the best of them stands high."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.ranking.ranked import Ranked
from memory.recall_query import Candidate


def without_echoes(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same memories; whatever repeats one above it moves behind all that do not.

    A summary also moves behind when one of its turns answers as much, wherever that stands: the turn says it exactly
    and in fewer words. So it takes a place where it brings together what no turn says alone.
    """
    placed, echoes, said = list[Ranked](), list[Ranked](), set[UUID]()
    answered = _answered(ranked)
    for each in ranked:
        if _repeats(each.candidate, said, answered):
            echoes.append(Ranked(candidate=each.candidate, score=each.score, signals={**each.signals, "echo": 1.0}))
            continue
        placed.append(each)
        if each.candidate.lane != "summary":
            said |= {each.candidate.source_id, *each.candidate.derived_from}
    return placed + echoes


def _answered(ranked: Sequence[Ranked]) -> dict[UUID, float]:
    """By turn, how much of the question it or a fact drawn from it covers."""
    answered: dict[UUID, float] = {}
    for one in (each.candidate for each in ranked if each.candidate.lane != "summary"):
        for turn in (one.source_id, *one.derived_from):
            answered[turn] = max(one.coverage, answered.get(turn, 0.0))
    return answered


def _repeats(one: Candidate, said: set[UUID], answered: Mapping[UUID, float]) -> bool:
    """A turn repeats a fact that cites it; a fact repeats when every turn it cites stands above."""
    if one.lane == "summary":
        return any(answered.get(turn, -1.0) >= one.coverage for turn in one.derived_from)
    return said.issuperset(one.derived_from or (one.source_id,))


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
