"""Who takes a place: a fact and the turn it was taken from say the same thing, so only the better one stands high."""

from collections.abc import Sequence
from uuid import UUID

from memory.ranking.ranked import Ranked


def without_echoes(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same memories; whatever repeats one above it moves behind all that do not."""
    placed, echoes, said = list[Ranked](), list[Ranked](), set[UUID]()
    for each in ranked:
        sources = {each.candidate.source_id, *each.candidate.derived_from}
        if said & sources and _repeats(each, said):
            echoes.append(Ranked(candidate=each.candidate, score=each.score, signals={**each.signals, "echo": 1.0}))
        else:
            placed.append(each)
            said |= sources
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


def _repeats(each: Ranked, said: set[UUID]) -> bool:
    """A turn repeats a fact that cites it; a fact repeats when every turn it cites stands above."""
    cited = each.candidate.derived_from
    return each.candidate.source_id in said if not cited else said.issuperset(cited)
