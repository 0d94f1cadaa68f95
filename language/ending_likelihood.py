"""How likely it is that a newer sentence puts an end to what an older one of the same person says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

from language.classifier import topic_overlap, words_classifier
from language.concepts import concepts_of
from language.kinds import Kind, Topic
from language.statements import is_denial
from language.tables import pattern_of_all, words_of_all
from language.terms import fold, word_terms
from language.times import mentions_now

OLDER_KINDS: tuple[Kind, ...] = ("fact", "plan", "event", "preference", "constraint", "change", "passing")
NEWER_KINDS: tuple[Kind, ...] = ("fact", "plan", "event", "preference")
WEIGHTS = (
    1.51,
    1.47,
    0.66,
    1.6,
    1.88,
    0.56,
    -0.43,
    0.1,
    1.65,
    0.29,
    0.85,
    0.44,
    0.49,
    0.38,
    0.45,
    -0.8,
    0.17,
    0.58,
    -0.85,
    0.12,
    -0.3,
    -0.9,
    0.32,
    0.07,
)
"""Of the features in the order of ``supersession_features``. Fitted by ``python -m evals.fit_endings``."""
BIAS = -5.56
MAY_CHANGE = 0.1
"""How probable it has to be that the newer sentence tells of a change, where nothing else sets the two apart."""
_MAX_SHARED = 3
_SMOOTHING = 0.01
"""What is added to a probability before its logarithm: below it, all are the same."""


@dataclass(frozen=True)
class SentenceProfile:
    """What of a sentence tells whether it ends another or is ended; ``concepts`` are matters its words belong to."""

    words: frozenset[str]
    concepts: frozenset[int]
    numbers: frozenset[str]
    topics: Mapping[Topic, float]
    kinds: Mapping[Kind, float]
    is_denial: bool
    mentions_now: bool

    @property
    def change(self) -> float:
        """How probable it is that the sentence tells of a change, or puts right what was just said."""
        return self.kinds["change"] + self.kinds["slip"]


@lru_cache(maxsize=8_192)
def profile_sentence(text: str) -> SentenceProfile:
    """The profile of one sentence."""
    judged = words_classifier().classify(text)
    return SentenceProfile(
        words=content_words(text),
        concepts=frozenset(each for matters in concepts_of(text).values() for each in matters),
        numbers=frozenset(pattern_of_all("supersession.number").findall(text)),
        topics=judged.topics,
        kinds=judged.kinds,
        is_denial=is_denial(text),
        mentions_now=mentions_now(text),
    )


@lru_cache(maxsize=8_192)
def supersession_likelihood(older: str, newer: str) -> float:
    """How likely it is that ``older`` no longer holds once ``newer`` was said, 0 to 1; 0 where it only adds up."""
    old, new = profile_sentence(older), profile_sentence(newer)
    return 1 / (1 + exp(-_logit(supersession_features(old, new)))) if _may_differ(old, new) else 0.0


def _may_differ(old: SentenceProfile, new: SentenceProfile) -> bool:
    """Whether anything in them tells of a change: what only adds up (tea, coffee) does not."""
    other_number = bool(old.numbers and new.numbers and old.numbers != new.numbers)
    return new.change >= MAY_CHANGE or new.mentions_now or other_number or old.is_denial != new.is_denial


def _logit(values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True)) + BIAS


def supersession_features(old: SentenceProfile, new: SentenceProfile) -> tuple[float, ...]:
    """What speaks for an ending: what the two have in common, how they differ, and what kinds of sentences they are."""
    shared, matters = old.words & new.words, old.concepts & new.concepts
    word, topic = float(bool(shared)), topic_overlap(new.topics, old.topics)
    change = _scale(new.change)
    denied = float(new.is_denial != old.is_denial)
    return (
        min(len(shared), _MAX_SHARED) / _MAX_SHARED,
        len(shared) / max(1, len(old.words)),
        len(matters) / max(1, min(len(old.concepts), len(new.concepts))),
        topic,
        sum(share * old.topics[each] for each, share in new.topics.items()),
        float(bool(new.numbers and old.numbers and new.numbers != old.numbers)),
        denied,
        change,
        word * change,
        bool(matters) * change,
        topic * change,
        topic * bool(matters),
        denied * word,
        *(_scale(old.kinds[each]) for each in OLDER_KINDS),
        *(_scale(new.kinds[each]) for each in NEWER_KINDS),
    )


def _scale(probability: float) -> float:
    """The logarithm of a probability, about 0 to 1: between 0.01 and 0.1 lies as much as between 0.1 and 1."""
    return log(probability + _SMOOTHING) / 5 + 1


@lru_cache(maxsize=16_384)
def content_words(text: str) -> frozenset[str]:
    """Content words; of Chinese the pairs of characters, which tell more than characters."""
    found = word_terms(fold(text))
    return frozenset(each for each in found if len(each) > 1 and not each.startswith("month:")) - words_of_all(
        "terms.common"
    )
