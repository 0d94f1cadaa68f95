"""A question taken apart for retrieval: its sub-questions, and the chatter around them that weighs less."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from language.terms import fold, gram_terms, term_hash, word_terms

MAX_PARTS = 4
CHATTER_WEIGHT = 0.3
"""What words beside the actual question count; anything from 0.15 to 0.5 measures the same, 0 and 1 measure worse."""
GRAM_WEIGHT = 0.1
"""A gram against a word: enough to find a misspelt word, too little to outweigh a right one."""

_NEXT_QUESTION = re.compile(r"(?<=[?？])\s*(?:另外|还有|此外|顺便|(?:and )?also\b|besides\b)[，,:：]?\s*")
_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+|\n+")
_REAL_QUESTION = re.compile(
    r"(?:真正|其实|实际上|本来)[^，。？！：,.?!:]{0,8}(?:想|问题)[^，。？！：,.?!:]{0,8}[：，,:]?"
    r"|(?:我想问|想搞清楚|想弄清楚|想知道的)(?:的?是)?[：，,:]?"
    r"|\bwhat i (?:really|actually) (?:want(?:ed)?(?: to know| to ask)?|mean[ts]?)(?: is| was)?[:,]?"
    r"|\bmy (?:real|actual) question (?:is|was)[:,]?"
)


@dataclass(frozen=True)
class Question:
    """The lexical form of a question: parallel arrays of term hash, sub-question (from 0) and weight there (0..1).

    ``parts`` sub-questions compete on equal terms for the places in the answer. Words and grams weigh in one sum.
    """

    terms: tuple[int, ...]
    parts_of_terms: tuple[int, ...]
    weights: tuple[float, ...]
    parts: int


@dataclass(frozen=True)
class Piece:
    """A stretch of a question and how much its words weigh."""

    text: str
    weight: float


def ask(text: str) -> Question:
    """Analyse a question; a text without words gives empty arrays, which match nothing."""
    parts = split(fold(text))
    rows = [(term, number, weight) for number, part in enumerate(parts) for term, weight in _weights(part).items()]
    return Question(tuple(r[0] for r in rows), tuple(r[1] for r in rows), tuple(r[2] for r in rows), len(parts))


def split(folded: str) -> list[list[Piece]]:
    """Sub-questions, each as weighed pieces: the sentences that ask weigh 1, what surrounds them ``CHATTER_WEIGHT``."""
    return [_weigh(part) for part in _NEXT_QUESTION.split(folded, MAX_PARTS - 1)]


def _weigh(part: str) -> list[Piece]:
    """Words before "what I really want to know is" and sentences beside a question are chatter."""
    announced = max((found.end() for found in _REAL_QUESTION.finditer(part)), default=0)
    sentences = [sentence for sentence in _SENTENCE_END.split(part[announced:]) if sentence]
    asking = [sentence for sentence in sentences if sentence.endswith(("?", "？"))] or sentences
    beside = [part[:announced], *(sentence for sentence in sentences if sentence not in asking)]
    return [*(Piece(text, 1.0) for text in asking), *(Piece(text, CHATTER_WEIGHT) for text in beside if text)]


def _weights(part: list[Piece]) -> dict[int, float]:
    """Each term of one sub-question once, at the greatest weight it has anywhere in it."""
    weights: dict[int, float] = {}
    for piece in part:
        for term, weight in _terms(piece):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def _terms(piece: Piece) -> Iterator[tuple[int, float]]:
    yield from ((term_hash("w", term), piece.weight) for term in word_terms(piece.text))
    yield from ((term_hash("g", term), piece.weight * GRAM_WEIGHT) for term in gram_terms(piece.text))
