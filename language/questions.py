"""A question taken apart for retrieval: its sub-questions, and the chatter around them that weighs less."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from language.people import is_first_person
from language.question_focus import naming_terms, naming_words
from language.terms import fold, gram_terms, term_hash, word_terms

MAX_PARTS = 4
CHATTER_WEIGHT = 0.3
"""What words beside the actual question count; anything from 0.15 to 0.5 measures the same, 0 and 1 measure worse."""
LIGHT_WEIGHT = 0.7
"""Words that name nothing ("name", "much", 什么, 多少) against those that do: they find answers, but others as well."""
GRAM_WEIGHT = 0.1
"""A gram against a word: enough to find a misspelt word, too little to outweigh a right one."""

_NEXT_QUESTION = re.compile(r"(?<=[?？])\s*(?:另外|还有|此外|顺便|(?:and )?also\b|besides\b)[，,:：]?\s*")
_JOIN = re.compile(
    r"[,;]?\s+(?:and|or)\s+(?=(?:when|where|what|who|whom|whose|which|how|why|do|does|did|is|are|was|were|has|have)\b)"
    r"|[，,;；]?(?:以及|还有|并且)[，,]?"
)
_ASKS = re.compile(
    r"\b(?:when|where|what|who|whom|whose|which|how|why)\b|^(?:do|does|did|is|are|was|were|has|have|can)\b"
    r"|什么|多少|哪|怎么|谁|几|为何|如何|多[长久高大重远宽厚快]|[吗呢]"
)
_POINTS_BACK = re.compile(r"\b(?:he|she|it|they|his|hers?|its|their|them|him|there|that|this|one)\b|[他她它其这那]")
_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+|\n+")
_CLAUSE_END = re.compile(r"[,;，；:：—]|--")
_BELONGS_TO_QUESTION = re.compile(
    r"(?:(?:and|but|so|or|then)\s+)?(?:when|where|what|who|whom|whose|which|how|why|if|after|before|while|do|does|did|is|are|was|were"
    r"|has|have i|have we|can|could|should|would|will|may)\b"
    r"|.*(?:什么|多少|哪|怎么|谁|几|为何|如何|[吗呢]|的时候|之后|如果|要是)"
)
"""The beginning of a clause that asks, or that only says about when or what is asked."""
_HAN_CHARACTER = re.compile(r"[\u4e00-\u9fff]")
_BRIEF_WORDS, _BRIEF_HAN = 2, 5
_OWN_MATTER = 2
"""Words that name something which each of two joined questions must have: with fewer, they are about the same."""
_REAL_QUESTION = re.compile(
    r"(?:真正|其实|实际上|本来)[^，。？！：,.?!:]{0,8}(?:想|问题)[^，。？！：,.?!:]{0,8}[：，,:]?"
    r"|(?:我想问|想搞清楚|想弄清楚|想知道的)(?:的?是)?[：，,:]?"
    r"|\bwhat i (?:really|actually) (?:want(?:ed)?(?: to know| to ask)?|mean[ts]?)(?: is| was)?[:,]?"
    r"|\bmy (?:real|actual) question (?:is|was)[:,]?"
)


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
        is_first_person(each) and not _BELONGS_TO_QUESTION.match(each.casefold().strip()) for each in clauses
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
    parts = [each for part in _NEXT_QUESTION.split(folded, MAX_PARTS - 1) for each in _split_conjunction(part)]
    return [_weigh(part) for part in (*parts[: MAX_PARTS - 1], *filter(None, [" ".join(parts[MAX_PARTS - 1 :])]))]


def _split_conjunction(part: str) -> list[str]:
    """Questions that only "and" joins, where each asks about something of its own; else the part as it is."""
    asked = _JOIN.split(part)
    if any(not _ASKS.search(each) or len(naming_words(each)) < _OWN_MATTER for each in asked):
        return [part]
    return [part] if any(_POINTS_BACK.search(each) for each in asked[1:]) else asked


def _weigh(part: str) -> list[WeightedPiece]:
    """Words before "what I really want to know is" and sentences beside a question are chatter."""
    announced = max((found.end() for found in _REAL_QUESTION.finditer(part)), default=0)
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
