"""A summary without a model: the facts that rules can read, and the sentences that tell most. It invents nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain.prompting.tokens import count_tokens
from brain.signal_rules import entities
from evolution.summaries.digest import Digest, Point, day_of, readable, room_for, speaker_of
from evolution.summaries.sentences import Sentence, sentences_of, words_of
from language.secrets import holds_secret
from memory.rules import Assertion, SpokenTurn, extract
from memory.sessions import Turn

FACT = 6.0
"""What a fact is worth among sentences: about as much as a dated decision."""
WORTH_TELLING = 0.6
"""A sentence that tells less, beside what stands already, stays out."""
KINDS = ("people", "places", "products")
"""What a session keeps at hand; dates in relative words mean nothing later."""

_LINE = 3
"""Tokens of a line besides its words."""


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """Something that may stand in the summary."""

    turn: Turn
    place: int
    by: str
    text: str
    words: frozenset[str]
    worth: float

    @property
    def cost(self) -> int:
        """Tokens, its share of the day's heading aside."""
        return count_tokens(self.text) + count_tokens(self.by) + _LINE


def by_rules(turns: Sequence[Turn]) -> Digest:
    """The digest of a stretch of conversation; the same turns give the same digest."""
    quotable = readable(turns)
    facts = [(turn, fact) for turn in quotable for fact in _facts(turn)]
    sentences = [sentence for turn in quotable for sentence in sentences_of(turn)]
    choices = [*(_of_fact(*each) for each in facts), *map(_of_sentence, sentences)]
    chosen = sorted(_best(choices, room_for(quotable)), key=lambda each: (each.turn.position, each.place))
    return Digest(
        points=tuple(_point(each) for each in chosen),
        named=named_in(quotable),
    )


def named_in(turns: Sequence[Turn]) -> dict[str, tuple[str, ...]]:
    """The people, places and products that persons named, in order, by kind."""
    named: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for turn in turns:
        if turn.role == "user" and turn.quotable:
            found = entities(turn.text)
            for kind in KINDS:
                named[kind] |= dict.fromkeys(value for value in found.get(kind, "").split(", ") if value)
    return {kind: tuple(values) for kind, values in named.items() if values}


def _facts(turn: Turn) -> list[Assertion]:
    spoken = SpokenTurn(text=turn.text, role=turn.role, speaker=turn.speaker, at=turn.occurred_at, zone=turn.time_zone)
    return [fact for fact in extract(spoken) if not holds_secret(fact.quote)]


def _of_fact(turn: Turn, fact: Assertion) -> _Choice:
    return _Choice(
        turn=turn,
        place=fact.span[0],
        by="",
        text=fact.content,
        words=words_of(fact.quote),
        worth=FACT + fact.confidence,
    )


def _of_sentence(sentence: Sentence) -> _Choice:
    return _Choice(
        turn=sentence.turn,
        place=sentence.start,
        by=speaker_of(sentence.turn),
        text=sentence.text,
        words=sentence.words,
        worth=sentence.worth,
    )


def _best(choices: Sequence[_Choice], room: int) -> Iterator[_Choice]:
    """What tells most beside what was chosen before, until the room is used."""
    waiting, told, room = list(choices), set[str](), room - _LINE
    while waiting:
        best = max(waiting, key=lambda each: (_news(each, told), -each.turn.position, -each.place))
        if _news(best, told) < WORTH_TELLING:
            return
        waiting.remove(best)
        if best.cost <= room:
            room -= best.cost
            told |= best.words
            yield best


def _news(choice: _Choice, told: set[str]) -> float:
    """Its worth, by the share of its words that nothing chosen says yet."""
    return choice.worth * len(choice.words - told) / len(choice.words) if choice.words else 0.0


def _point(choice: _Choice) -> Point:
    return Point(by=choice.by, on=day_of(choice.turn), text=choice.text, sources=(choice.turn.event_id,))
