"""A summary without a model: the statements of persons, and the sentences that tell most. It invents nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from brain.prompting.tokens import count_tokens
from brain.signal_rules import entities
from evolution.summaries.digest import Digest, Point, day_of, readable_turns, speaker_of, summary_budget
from evolution.summaries.sentences import SummarySentence, sentences_of
from language.statements import read_statements
from memory.sessions import SummaryTurn

FACT = 4.0
"""What a statement is worth beyond its words: about as much as a dated decision."""
MIN_WORTH = 0.6
"""A sentence that tells less, beside what stands already, stays out."""
KINDS = ("people", "places", "products")
"""What a session keeps at hand; dates in relative words mean nothing later."""

_LINE = 3
"""Tokens of a line besides its words."""


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """Something that may stand in the summary."""

    turn: SummaryTurn
    place: int
    by: str
    text: str
    words: frozenset[str]
    worth: float

    @property
    def cost(self) -> int:
        """Tokens, its share of the day's heading aside."""
        return count_tokens(self.text) + count_tokens(self.by) + _LINE


def summarize_by_rules(turns: Sequence[SummaryTurn]) -> Digest:
    """The digest of a stretch of conversation; the same turns give the same digest."""
    quotable = readable_turns(turns)
    told = [_score_sentence(turn, sentence) for turn in quotable for sentence in sentences_of(turn)]
    choices = [_choice(each) for each in told]
    chosen = sorted(_select_best(choices, summary_budget(quotable)), key=lambda each: (each.turn.position, each.place))
    return Digest(
        points=tuple(_point(each) for each in chosen),
        named=find_names(quotable),
    )


def find_names(turns: Sequence[SummaryTurn]) -> dict[str, tuple[str, ...]]:
    """The people, places and products that persons named, in order, by kind."""
    named: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for turn in turns:
        if turn.role == "user" and turn.quotable:
            found = entities(turn.text)
            for kind in KINDS:
                named[kind] |= dict.fromkeys(value for value in found.get(kind, "").split(", ") if value)
    return {kind: tuple(values) for kind, values in named.items() if values}


@dataclass(frozen=True)
class _ScoredSentence:
    """A sentence, and how probable it is that it is worth a memory: 0 where it is none of a person's statements."""

    sentence: SummarySentence
    keeps: float


def _score_sentence(turn: SummaryTurn, sentence: SummarySentence) -> _ScoredSentence:
    kept = [each for each in _statements(turn.text) if each.is_memorable] if turn.role == "user" else []
    over = [each.keeps for each in kept if each.start < sentence.end and sentence.start < each.end]
    return _ScoredSentence(sentence, max(over, default=0.0))


_statements = lru_cache(maxsize=64)(read_statements)


def _choice(told: _ScoredSentence) -> _Choice:
    sentence = told.sentence
    return _Choice(
        turn=sentence.turn,
        place=sentence.start,
        by=speaker_of(sentence.turn),
        text=sentence.text,
        words=sentence.words,
        worth=sentence.worth + FACT * told.keeps,
    )


def _select_best(choices: Sequence[_Choice], room: int) -> Iterator[_Choice]:
    """What tells most beside what was chosen before, until the room is used."""
    waiting, told, room = list(choices), set[str](), room - _LINE
    while waiting:
        best = max(waiting, key=lambda each: (_novelty(each, told), -each.turn.position, -each.place))
        if _novelty(best, told) < MIN_WORTH:
            return
        waiting.remove(best)
        if best.cost <= room:
            room -= best.cost
            told |= best.words
            yield best


def _novelty(choice: _Choice, told: set[str]) -> float:
    """Its worth, by the share of its words that nothing chosen says yet."""
    return choice.worth * len(choice.words - told) / len(choice.words) if choice.words else 0.0


def _point(choice: _Choice) -> Point:
    return Point(by=choice.by, on=day_of(choice.turn), text=choice.text, sources=(choice.turn.event_id,))
