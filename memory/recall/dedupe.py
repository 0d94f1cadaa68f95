"""Who takes a place: a fact, a summary and their turns say the same, so only the best of them stands high."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from language.terms import fold, word_terms
from memory.recall.query import Candidate
from memory.recall.ranked import Ranked

_ONE_QUESTION = re.compile(
    r"(?:(?:who|whose|what|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should|have|has)\b"
    r"|[^\x00-\x7f])[^.!,;:。！，；：\n]*[?？]",
    re.IGNORECASE,
)
"""A turn that is a question from its first word on, without a statement before or behind a comma."""


def without_echoes(ranked: Sequence[Ranked]) -> Iterator[Ranked]:
    """The same memories; whatever repeats one above it moves behind all that do not.

    A summary also moves behind when one of its turns answers as much, wherever that stands: the turn says it exactly
    and in fewer words. So it takes a place where it brings together what no turn says alone.
    """
    # Ids as numbers: hashing a UUID costs more than all else here.
    echoes, said, answered = list[Ranked](), set[int](), _answered(ranked)
    for each in ranked:
        if _repeats(each.candidate, said, answered):
            echoes.append(_marked(each, "echo"))
            continue
        if each.candidate.lane != "summary":
            said.add(each.candidate.source_id.int)
            said.update(turn.int for turn in each.candidate.derived_from)
        yield each
    yield from echoes


def _answered(ranked: Sequence[Ranked]) -> dict[UUID, float]:
    """By turn, how much of the question it or a fact drawn from it covers; of use only beside a summary."""
    answered: dict[UUID, float] = {}
    if all(each.candidate.lane != "summary" for each in ranked):
        return answered
    for one in (each.candidate for each in ranked if each.candidate.lane != "summary"):
        for turn in (one.source_id, *one.derived_from):
            answered[turn] = max(one.coverage, answered.get(turn, 0.0))
    return answered


def _repeats(one: Candidate, said: set[int], answered: Mapping[UUID, float]) -> bool:
    """A turn repeats a fact that cites it; a fact repeats when every turn it cites stands above."""
    if one.lane == "summary":
        return any(answered.get(turn, -1.0) >= one.coverage for turn in one.derived_from)
    if one.derived_from:
        return all(turn.int in said for turn in one.derived_from)
    return one.source_id.int in said


def without_repeats(ranked: Iterable[Ranked], question: str) -> Iterator[Ranked]:
    """The same memories; turns that only say again what stands above, or ask what is being asked, move behind."""
    repeats, said, asked = list[Ranked](), {_words(question)}, frozenset(word_terms(fold(question)))
    for each in ranked:
        words = _words(each.candidate.text)
        if each.candidate.lane == "turn" and (words in said or _only_asks(each.candidate.text, asked)):
            repeats.append(_marked(each, "repeat"))
            continue
        said.add(words)
        yield each
    yield from repeats


def _only_asks(text: str, asked: frozenset[str]) -> bool:
    """Whether a turn asks, in other order or fewer words, nothing but what is being asked: it tells nothing."""
    terms = word_terms(fold(text)) if _ONE_QUESTION.fullmatch(text.strip()) else []
    return bool(terms) and asked.issuperset(terms)


def _marked(each: Ranked, why: str) -> Ranked:
    return replace(each, signals={**each.signals, why: 1.0})


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,!?;:。，！？；：")
