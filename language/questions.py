"""A question taken apart for retrieval: its sub-questions, and the chatter around them that weighs less."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from language.people import is_first_person
from language.question_focus import naming_terms, naming_words
from language.tables import pattern_of_all
from language.terms import fold, gram_terms, term_hash, word_terms

MAX_PARTS = 4
CHATTER_WEIGHT = 0.3
"""What words beside the actual question count; anything from 0.15 to 0.5 measures the same, 0 and 1 measure worse."""
LIGHT_WEIGHT = 0.7
"""Words that name nothing ("name", "much", 什么, 多少) against those that do: they find answers, but others as well."""
GRAM_WEIGHT = 0.1
"""A gram against a word: enough to find a misspelt word, too little to outweigh a right one."""

_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+|\n+")
_CLAUSE_END = re.compile(r"[,;，；:：—]|--")
_HAN_CHARACTER = re.compile(r"[\u4e00-\u9fff]")
_BRIEF_WORDS, _BRIEF_HAN = 2, 5
_OWN_MATTER = 2
"""Words that name something which each of two joined questions must have: with fewer, they are about the same."""


@dataclass(frozen=True)
class LexicalQuestion:
    """The lexical form of a question: parallel arrays of term hash, sub-question (from 0) and weight there (0..1).

    ``parts`` sub-questions compete on equal terms for the places in the answer. Words and grams weigh in one sum.
    """

    terms: tuple[int, ...]
    parts_of_terms: tuple[int, ...]
    weights: tuple[float, ...]
    parts: int


@dataclass(frozen=True)
class WeightedPiece:
    """A stretch of a question and how much its words weigh."""

    text: str
    weight: float


@lru_cache(maxsize=8_192)
def only_asks(text: str) -> bool:
    """Whether a text does nothing but ask: no sentence of it says something, and no clause tells of its speaker."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]
    return all(
        _only_asks(sentence) if sentence.endswith(("?", "？")) else _is_brief(sentence) for sentence in sentences
    )


def _only_asks(sentence: str) -> bool:
    *clauses, _ = _CLAUSE_END.split(sentence)
    return not any(
        is_first_person(each) and not _words("belongs_to_question").match(each.casefold().strip()) for each in clauses
    )


def _is_brief(sentence: str) -> bool:
    """Too short to tell anything: a greeting, a word of doubt."""
    return len(sentence.split()) <= _BRIEF_WORDS and len(_HAN_CHARACTER.findall(sentence)) < _BRIEF_HAN


def analyse_question(text: str) -> LexicalQuestion:
    """Analyse a question; a text without words gives empty arrays, which match nothing."""
    parts = split_question(fold(text))
    rows = [(term, number, weight) for number, part in enumerate(parts) for term, weight in _weights(part).items()]
    return LexicalQuestion(tuple(r[0] for r in rows), tuple(r[1] for r in rows), tuple(r[2] for r in rows), len(parts))


def split_question(folded: str) -> list[list[WeightedPiece]]:
    """Sub-questions, each as weighed pieces: the sentences that ask weigh 1, what surrounds them ``CHATTER_WEIGHT``."""
    parts = [each for part in _words("next_question").split(folded, MAX_PARTS - 1) for each in _split_conjunction(part)]
    return [_weigh(part) for part in (*parts[: MAX_PARTS - 1], *filter(None, [" ".join(parts[MAX_PARTS - 1 :])]))]


def _split_conjunction(part: str) -> list[str]:
    """Questions that only "and" joins, where each asks about something of its own; else the part as it is."""
    asked = _words("join").split(part)
    if any(not _words("asks").search(each) or len(naming_words(each)) < _OWN_MATTER for each in asked):
        return [part]
    return [part] if any(_words("points_back").search(each) for each in asked[1:]) else asked


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"questions.{key}")


def _weigh(part: str) -> list[WeightedPiece]:
    """Words before "what I really want to know is" and sentences beside a question are chatter."""
    announced = max((found.end() for found in _words("real_question").finditer(part)), default=0)
    sentences = [sentence for sentence in _SENTENCE_END.split(part[announced:]) if sentence]
    asking = [sentence for sentence in sentences if sentence.endswith(("?", "？"))] or sentences
    beside = [part[:announced], *(sentence for sentence in sentences if sentence not in asking)]
    return [
        *(WeightedPiece(text, 1.0) for text in asking),
        *(WeightedPiece(text, CHATTER_WEIGHT) for text in beside if text),
    ]


def _weights(part: list[WeightedPiece]) -> dict[int, float]:
    """Each term of one sub-question once, at the greatest weight it has anywhere in it."""
    weights: dict[int, float] = {}
    for piece in part:
        for term, weight in _terms(piece):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def _terms(piece: WeightedPiece) -> Iterator[tuple[int, float]]:
    naming = naming_terms(piece.text)
    for term in word_terms(piece.text):
        light = term not in naming and not term.startswith("month:")
        yield term_hash("w", term), piece.weight * (LIGHT_WEIGHT if light else 1.0)
    yield from ((term_hash("g", term), piece.weight * GRAM_WEIGHT) for term in gram_terms(piece.text))
