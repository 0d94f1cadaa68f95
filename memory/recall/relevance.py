"""How probable it is that the answer needs a memory: a logistic model over pairs of question and memory.

``python -m evals.fit_cutoff`` fits the weights on every kind of text and prints them; they belong to the policy that
scored, and change only with its version.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log1p

from language.answer_types import answer_share
from language.classifier import load_classifier, words_classifier
from language.concepts import concepts_of
from language.detection import language_of
from language.people import SPEAKER, find_person
from language.question_focus import QuestionFocus, read_focus
from language.terms import fold, word_terms
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow

WEIGHTS: Mapping[str, float] = {
    "score": 1.59,
    "score_zh": 1.46,
    "zh": -0.84,
    "place": -0.68,
    "coverage": 1.38,
    "coverage_gap": -1.70,
    "words": 3.06,
    "before": 6.59,
    "after": -4.81,
    "kin": 3.42,
    "voice": 1.20,
    "general": -1.54,
    "general_known": 1.50,
    "score_personal": -1.42,
    "score_general": -0.78,
    "answer": 0.92,
    "concepts": 0.95,
    "only_concepts": 0.54,
    "other_person": -0.41,
    "courtesy": -3.11,
    "fifth_score": -1.33,
}
"""By feature, in the order of ``relevance_features``."""
BIAS = -3.78
MEANING_WEIGHTS: Mapping[str, float] = {
    "score": 1.59,
    "score_zh": 0.97,
    "zh": -0.45,
    "place": -0.94,
    "coverage": -0.01,
    "coverage_gap": -1.32,
    "words": 1.99,
    "before": 4.07,
    "after": -2.80,
    "kin": 7.24,
    "voice": 1.23,
    "general": -0.69,
    "general_known": 0.81,
    "score_personal": -1.09,
    "score_general": -1.51,
    "answer": 0.98,
    "concepts": 0.48,
    "only_concepts": 0.58,
    "other_person": -0.35,
    "courtesy": -1.88,
    "fifth_score": -0.54,
    "cosine": 3.39,
    "cosine_zh": -1.25,
    "best_cosine": 0.41,
    "cosine_gap": -1.92,
    "cosine_general": 0.76,
}
"""The same where the encoder compared the meanings: its cosines come last."""
MEANING_BIAS = -4.48
_MAX_WORDS = 5
_FIFTH = 4
_READ = 300
"""Characters of a memory by which it is told whom it is about."""


@dataclass(frozen=True)
class _Question:
    """What is the same for all memories of one question; ``best`` and ``fifth`` are scores, ``coverage`` the most."""

    text: str
    focus: QuestionFocus
    concepts: Mapping[str, frozenset[int]]
    is_chinese: bool
    knows_names: bool
    courtesy: float
    best: float
    fifth: float
    coverage: float
    best_cosine: float


def relevance(
    question: str, ranked: Sequence[RankedCandidate], *, knows_names: bool, has_meaning: bool = False
) -> list[float]:
    """By memory, the probability that it is needed.

    ``knows_names`` says that memory has the names in the question, ``has_meaning`` that cosines are the encoder's.
    """
    rows = relevance_features(question, ranked, knows_names=knows_names, has_meaning=has_meaning)
    weights, bias = (MEANING_WEIGHTS, MEANING_BIAS) if has_meaning else (WEIGHTS, BIAS)
    sums = (bias + sum(weight * value for weight, value in zip(weights.values(), row, strict=True)) for row in rows)
    return [1 / (1 + exp(-each)) for each in sums]


def relevance_features(
    question: str, ranked: Sequence[RankedCandidate], *, knows_names: bool, has_meaning: bool = False
) -> list[tuple[float, ...]]:
    """The features of each memory, in its order, as ``WEIGHTS`` or, with meaning, ``MEANING_WEIGHTS`` names them."""
    if not ranked:
        return []
    asked = _read_question(question, ranked, knows_names=knows_names, has_meaning=has_meaning)
    rows = [_features(asked, place, each) for place, each in enumerate(ranked)]
    if not has_meaning:
        return rows
    return [(*row, *_features_of_meaning(asked, each.candidate)) for row, each in zip(rows, ranked, strict=True)]


def _features_of_meaning(asked: _Question, one: CandidateRow) -> tuple[float, ...]:
    cosine = one.cosine or 0.0
    return (
        cosine,
        cosine * asked.is_chinese,
        asked.best_cosine,
        asked.best_cosine - cosine,
        cosine * asked.focus.is_general,
    )


def _read_question(
    question: str, ranked: Sequence[RankedCandidate], *, knows_names: bool, has_meaning: bool
) -> _Question:
    best = max(each.score for each in ranked) or 1.0
    return _Question(
        text=question,
        focus=read_focus(question),
        concepts=concepts_of(question),
        is_chinese=language_of(question) == "zh",
        knows_names=knows_names,
        courtesy=_courtesy(question, has_meaning=has_meaning),
        best=best,
        fifth=ranked[_FIFTH].score / best if len(ranked) > _FIFTH else 0.0,
        coverage=max(each.candidate.coverage for each in ranked),
        best_cosine=max(each.candidate.cosine or 0.0 for each in ranked),
    )


@lru_cache(maxsize=64)
def _courtesy(question: str, *, has_meaning: bool) -> float:
    kinds = (load_classifier() if has_meaning else words_classifier()).classify(question).kinds
    return kinds["courtesy"] + kinds["passing"]


def _features(asked: _Question, place: int, each: RankedCandidate) -> tuple[float, ...]:
    one, focus, share = each.candidate, asked.focus, each.score / asked.best
    terms = _terms(f"{one.speaker} {one.about} {one.text}")
    shared = sum(word in terms for word in focus.words)
    related = _related_words(asked, one, terms)
    return (
        share,
        share * asked.is_chinese,
        float(asked.is_chinese),
        log1p(place),
        one.coverage,
        asked.coverage - one.coverage,
        min(shared, _MAX_WORDS) / _MAX_WORDS,
        each.signals.get("before", 0.0),
        each.signals.get("after", 0.0),
        each.signals.get("kin", 0.0),
        float(_is_asked_for(focus, one)),
        float(focus.is_general),
        float(focus.is_general and asked.knows_names),
        share * focus.is_personal,
        share * focus.is_general,
        answer_share(asked.text, one.text),
        related / (len(asked.concepts) or 1),
        float(related > 0 and not shared),
        float(focus.is_personal and _is_about_another(asked.text, one)),
        asked.courtesy,
        asked.fifth,
    )


def _related_words(asked: _Question, one: CandidateRow, terms: frozenset[str]) -> int:
    """How many of the question's words the memory lacks but has something to say about."""
    told = frozenset[int]().union(*concepts_of(f"{one.about} {one.text}").values())
    return sum(word not in terms and not told.isdisjoint(matters) for word, matters in asked.concepts.items())


def _is_asked_for(focus: QuestionFocus, one: CandidateRow) -> bool:
    """Whether it was said by whom the question asks about; what was made of the person's words counts as theirs."""
    if focus.asks_assistant:
        return one.lane == "turn" and one.role == "assistant"
    return focus.is_personal and (one.lane != "turn" or one.role == "user")


def _is_about_another(question: str, one: CandidateRow) -> bool:
    """Whether the memory is about one of their people where the question is about the person."""
    if one.role != "user" or _person(question) != SPEAKER:
        return False
    return _person(one.text[:_READ]) not in (SPEAKER, "")


@lru_cache(maxsize=8_192)
def _person(text: str) -> str:
    return find_person(text)


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(word_terms(fold(text)))
