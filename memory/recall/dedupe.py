"""Removes repetitions: a fact, a summary and their turns say the same, so only the best of them stands high.

Of a turn's passages, too, the best stands for the turn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from language.statements import is_denial
from language.terms import fold, word_terms
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow

_ONE_QUESTION = re.compile(
    r"(?:(?:who|whose|what|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should|have|has)\b"
    r"|[^\x00-\x7f])[^.!,;:。！，；：\n]*[?？]",
    re.IGNORECASE,
)
"""A turn that is a question from its first word on, without a statement before or behind a comma."""
_WORD = re.compile(r"[^\W_\u4e00-\u9fff]+|[\u4e00-\u9fff]")
COMPARED = 20
"""Places whose words are compared; further down a repeat takes no place from anything."""
SECOND_PASSAGE = 0.9
"""A second passage of a turn keeps its place from this share of the first one's score on, if it says something new."""


def demote_extra_passages(ranked: Iterable[RankedCandidate], question: str) -> Iterator[RankedCandidate]:
    """The same memories; of a turn's passages the best stands for it, and the others move behind all the rest.

    A second one stays where it answers nearly as well and has words of the question that the best one lacks.
    """
    others, best, asked = list[RankedCandidate](), dict[int, RankedCandidate](), frozenset(word_terms(fold(question)))
    seconds = set[int]()
    for each in ranked:
        if each.candidate.event_id is None:
            yield each
            continue
        turn = each.candidate.event_id.int
        if turn not in best:
            best[turn] = each
        elif turn not in seconds and _has_new_words(each, best[turn], asked):
            seconds.add(turn)
        else:
            others.append(_add_signal(each, "same_turn"))
            continue
        yield each
    yield from others


def _has_new_words(each: RankedCandidate, best: RankedCandidate, asked: frozenset[str]) -> bool:
    if each.score < SECOND_PASSAGE * best.score:
        return False
    known, told = (asked.intersection(_terms(one.candidate)) for one in (best, each))
    return bool(told - known)


def _terms(passage: CandidateRow) -> list[str]:
    return word_terms(fold(f"{passage.about} {passage.text}"))


def demote_echoes(ranked: Sequence[RankedCandidate]) -> Iterator[RankedCandidate]:
    """The same memories; whatever repeats one above it moves behind all that do not.

    A summary also moves behind when one of its turns answers as much, wherever that stands: the turn says it exactly
    and in fewer words. So it takes a place where it brings together what no turn says alone.
    """
    echoes, above, answered = list[RankedCandidate](), _HigherRanked(), _coverage_by_turn(ranked)
    for each in ranked:
        if _is_echo(each.candidate, above, answered):
            echoes.append(_add_signal(each, "echo"))
            continue
        above.add(each.candidate)
        yield each
    yield from echoes


@dataclass
class _HigherRanked:
    """What stands above: turns that are said whole or cited by a fact, and how much of the question passages and facts
    of each turn cover. Ids are numbers: hashing a UUID costs more than all else here.
    """

    said: set[int] = field(default_factory=set[int])
    by_passages: dict[int, float] = field(default_factory=dict[int, float])
    by_facts: dict[int, float] = field(default_factory=dict[int, float])

    def add(self, one: CandidateRow) -> None:
        if one.lane == "summary":
            return
        if one.event_id is not None:
            _keep_highest(self.by_passages, one.event_id.int, one.coverage)
            return
        self.said.add(one.source_id.int)
        for turn in one.derived_from:
            self.said.add(turn.int)
            _keep_highest(self.by_facts, turn.int, one.coverage)

    def has_fact(self, one: CandidateRow) -> bool:
        """Every turn it cites stands above, or a passage of it that covers as much."""
        turns = [turn.int for turn in one.derived_from]
        return all(turn in self.said or self.by_passages.get(turn, -1.0) >= one.coverage for turn in turns)


def _keep_highest(covered: dict[int, float], turn: int, coverage: float) -> None:
    covered[turn] = max(coverage, covered.get(turn, 0.0))


def _coverage_by_turn(ranked: Sequence[RankedCandidate]) -> dict[UUID, float]:
    """By turn, how much of the question it or a fact drawn from it covers; of use only beside a summary."""
    answered: dict[UUID, float] = {}
    if all(each.candidate.lane != "summary" for each in ranked):
        return answered
    for one in (each.candidate for each in ranked if each.candidate.lane != "summary"):
        for turn in (one.turn_id, *one.derived_from):
            answered[turn] = max(one.coverage, answered.get(turn, 0.0))
    return answered


def _is_echo(one: CandidateRow, above: _HigherRanked, answered: Mapping[UUID, float]) -> bool:
    """A turn repeats a fact that cites it; a passage of it, one that covers as much of the question."""
    if one.lane == "summary":
        return any(answered.get(turn, -1.0) >= one.coverage for turn in one.derived_from)
    if one.derived_from:
        return above.has_fact(one)
    if one.event_id is not None:
        return above.by_facts.get(one.event_id.int, -1.0) >= one.coverage
    return one.source_id.int in above.said


def demote_repeats(ranked: Iterable[RankedCandidate], question: str) -> Iterator[RankedCandidate]:
    """The same memories; turns that only say again what stands above, or ask what is being asked, move behind."""
    repeats, said, asked = list[RankedCandidate](), {_words(question)}, frozenset(word_terms(fold(question)))
    above = list[_Wording]()
    for each in ranked:
        words, told = _words(each.candidate.text), _Wording.of(each.candidate) if len(above) < COMPARED else None
        again = words in said or _is_same_question(each.candidate.text, asked) or (told and told.is_contained_in(above))
        if each.candidate.lane == "turn" and again:
            repeats.append(_add_signal(each, "repeat"))
            continue
        said.add(words)
        if told:
            above.append(told)
        yield each
    yield from repeats


@dataclass(frozen=True)
class _Wording:
    """The words of a memory, and whether it says that something is not so."""

    words: frozenset[str]
    denies: bool

    @classmethod
    def of(cls, one: CandidateRow) -> "_Wording":
        return cls(frozenset(_WORD.findall(one.text.casefold())), is_denial(one.text))

    def is_contained_in(self, above: Iterable["_Wording"]) -> bool:
        """Whether one of them has all of its words; a denial is another thing than what it denies."""
        return any(self.denies == other.denies and self.words <= other.words for other in above)


def _is_same_question(text: str, asked: frozenset[str]) -> bool:
    """Whether a turn asks, in other order or fewer words, nothing but what is being asked: it tells nothing."""
    terms = word_terms(fold(text)) if _ONE_QUESTION.fullmatch(text.strip()) else []
    return bool(terms) and asked.issuperset(terms)


def is_duplicate(each: RankedCandidate) -> bool:
    """Whether it was moved behind because it says again what stands above."""
    return "echo" in each.signals or "repeat" in each.signals


def demote_reranked_passages(ranked: Iterable[RankedCandidate]) -> Iterator[RankedCandidate]:
    """The same memories in an order that a reranker gave them; further passages of a turn move behind all the rest."""
    others, turns = list[RankedCandidate](), set[int]()
    for each in ranked:
        turn = each.candidate.event_id
        if turn is not None and turn.int in turns:
            others.append(_add_signal(each, "same_turn"))
            continue
        if turn is not None:
            turns.add(turn.int)
        yield replace(each, signals={name: value for name, value in each.signals.items() if name != "same_turn"})
    yield from others


def _add_signal(each: RankedCandidate, why: str) -> RankedCandidate:
    return replace(each, signals={**each.signals, why: 1.0})


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,!?;:。，！？；：")
