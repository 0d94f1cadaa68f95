"""Who takes a place: a fact, a summary and their turns say the same, so only the best of them stands high.

Of a turn's passages, too, the best stands for the turn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from language.statements import denies
from language.terms import fold, word_terms
from memory.recall.query import Candidate
from memory.recall.ranked import Ranked

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


def one_place_per_turn(ranked: Iterable[Ranked], question: str) -> Iterator[Ranked]:
    """The same memories; of a turn's passages the best stands for it, and the others move behind all the rest.

    A second one stays where it answers nearly as well and has words of the question that the best one lacks.
    """
    others, best, asked = list[Ranked](), dict[int, Ranked](), frozenset(word_terms(fold(question)))
    seconds = set[int]()
    for each in ranked:
        if each.candidate.event_id is None:
            yield each
            continue
        turn = each.candidate.event_id.int
        if turn not in best:
            best[turn] = each
        elif turn not in seconds and _adds(each, best[turn], asked):
            seconds.add(turn)
        else:
            others.append(_marked(each, "same_turn"))
            continue
        yield each
    yield from others


def _adds(each: Ranked, best: Ranked, asked: frozenset[str]) -> bool:
    if each.score < SECOND_PASSAGE * best.score:
        return False
    known, told = (asked.intersection(_terms(one.candidate)) for one in (best, each))
    return bool(told - known)


def _terms(passage: Candidate) -> list[str]:
    return word_terms(fold(f"{passage.about} {passage.text}"))


def without_echoes(ranked: Sequence[Ranked]) -> Iterator[Ranked]:
    """The same memories; whatever repeats one above it moves behind all that do not.

    A summary also moves behind when one of its turns answers as much, wherever that stands: the turn says it exactly
    and in fewer words. So it takes a place where it brings together what no turn says alone.
    """
    echoes, above, answered = list[Ranked](), _Above(), _answered(ranked)
    for each in ranked:
        if _repeats(each.candidate, above, answered):
            echoes.append(_marked(each, "echo"))
            continue
        above.add(each.candidate)
        yield each
    yield from echoes


@dataclass
class _Above:
    """What stands above: turns that are said whole or cited by a fact, and how much of the question passages and facts
    of each turn cover. Ids are numbers: hashing a UUID costs more than all else here.
    """

    said: set[int] = field(default_factory=set[int])
    by_passages: dict[int, float] = field(default_factory=dict[int, float])
    by_facts: dict[int, float] = field(default_factory=dict[int, float])

    def add(self, one: Candidate) -> None:
        if one.lane == "summary":
            return
        if one.event_id is not None:
            _raise(self.by_passages, one.event_id.int, one.coverage)
            return
        self.said.add(one.source_id.int)
        for turn in one.derived_from:
            self.said.add(turn.int)
            _raise(self.by_facts, turn.int, one.coverage)

    def says_fact(self, one: Candidate) -> bool:
        """Every turn it cites stands above, or a passage of it that covers as much."""
        turns = [turn.int for turn in one.derived_from]
        return all(turn in self.said or self.by_passages.get(turn, -1.0) >= one.coverage for turn in turns)


def _raise(covered: dict[int, float], turn: int, coverage: float) -> None:
    covered[turn] = max(coverage, covered.get(turn, 0.0))


def _answered(ranked: Sequence[Ranked]) -> dict[UUID, float]:
    """By turn, how much of the question it or a fact drawn from it covers; of use only beside a summary."""
    answered: dict[UUID, float] = {}
    if all(each.candidate.lane != "summary" for each in ranked):
        return answered
    for one in (each.candidate for each in ranked if each.candidate.lane != "summary"):
        for turn in (one.turn_id, *one.derived_from):
            answered[turn] = max(one.coverage, answered.get(turn, 0.0))
    return answered


def _repeats(one: Candidate, above: _Above, answered: Mapping[UUID, float]) -> bool:
    """A turn repeats a fact that cites it; a passage of it, one that covers as much of the question."""
    if one.lane == "summary":
        return any(answered.get(turn, -1.0) >= one.coverage for turn in one.derived_from)
    if one.derived_from:
        return above.says_fact(one)
    if one.event_id is not None:
        return above.by_facts.get(one.event_id.int, -1.0) >= one.coverage
    return one.source_id.int in above.said


def without_repeats(ranked: Iterable[Ranked], question: str) -> Iterator[Ranked]:
    """The same memories; turns that only say again what stands above, or ask what is being asked, move behind."""
    repeats, said, asked = list[Ranked](), {_words(question)}, frozenset(word_terms(fold(question)))
    above = list[_Said]()
    for each in ranked:
        words, told = _words(each.candidate.text), _Said.of(each.candidate) if len(above) < COMPARED else None
        again = words in said or _only_asks(each.candidate.text, asked) or (told and told.adds_nothing_to(above))
        if each.candidate.lane == "turn" and again:
            repeats.append(_marked(each, "repeat"))
            continue
        said.add(words)
        if told:
            above.append(told)
        yield each
    yield from repeats


@dataclass(frozen=True)
class _Said:
    """The words of a memory, and whether it says that something is not so."""

    words: frozenset[str]
    denies: bool

    @classmethod
    def of(cls, one: Candidate) -> "_Said":
        return cls(frozenset(_WORD.findall(one.text.casefold())), denies(one.text))

    def adds_nothing_to(self, above: Iterable["_Said"]) -> bool:
        """Whether one of them has all of its words; a denial is another thing than what it denies."""
        return any(self.denies == other.denies and self.words <= other.words for other in above)


def _only_asks(text: str, asked: frozenset[str]) -> bool:
    """Whether a turn asks, in other order or fewer words, nothing but what is being asked: it tells nothing."""
    terms = word_terms(fold(text)) if _ONE_QUESTION.fullmatch(text.strip()) else []
    return bool(terms) and asked.issuperset(terms)


def is_set_back(each: Ranked) -> bool:
    """Whether it was moved behind because it says again what stands above."""
    return "echo" in each.signals or "repeat" in each.signals


def one_passage_per_turn(ranked: Iterable[Ranked]) -> Iterator[Ranked]:
    """The same memories in an order that a reranker gave them; further passages of a turn move behind all the rest."""
    others, turns = list[Ranked](), set[int]()
    for each in ranked:
        turn = each.candidate.event_id
        if turn is not None and turn.int in turns:
            others.append(_marked(each, "same_turn"))
            continue
        if turn is not None:
            turns.add(turn.int)
        yield replace(each, signals={name: value for name, value in each.signals.items() if name != "same_turn"})
    yield from others


def _marked(each: Ranked, why: str) -> Ranked:
    return replace(each, signals={**each.signals, why: 1.0})


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,!?;:。，！？；：")
