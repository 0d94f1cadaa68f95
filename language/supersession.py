"""How likely it is that a newer sentence puts an end to what an older one of the same person says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt

from language.classifier import load_classifier
from language.kinds import Topic
from language.statements import is_denial
from language.term_words import COMMON_WORDS
from language.terms import fold, word_terms
from language.times import mentions_now

WEIGHTS = (3.48, 3.24, 1.43, 1.31, 0.18, -1.43, 0.57, 0.52, -0.75, 1.19, 1.95, 0.05)
"""Of the features: words in common, overlap of topics, the same likeliest topic, another number, denied or no longer,
a plan said now, a plan said before, a word of now, a change, and the change with words, topics, or a topic of which one
has one at a time. Fitted by ``python -m evals.fit_endings`` on pairs written for the purpose."""
BIAS = -6.78
MAY_END = 0.2
"""How likely an ending has to be for the older sentence to be marked as earlier; 0.1 marks more that still holds."""
MAY_CHANGE = 0.05
"""How probable it has to be that the newer sentence tells of a change, where nothing else sets the two apart."""
SAME_TOPIC = 0.5
"""Overlap of topics from which two sentences are on one topic."""
ONE_AT_A_TIME: tuple[Topic, ...] = ("home", "work", "partner", "study")
"""Topics of which a person mostly has one thing at a time."""
_NUMBER = re.compile(r"\d+|[零一二两三四五六七八九十百千]+")


@dataclass(frozen=True)
class SentenceProfile:
    """What of a sentence tells whether it ends another or is ended; ``change`` and ``plan`` are probabilities."""

    words: frozenset[str]
    numbers: frozenset[str]
    topics: Mapping[Topic, float]
    change: float
    plan: float
    is_denial: bool
    mentions_now: bool


@lru_cache(maxsize=8_192)
def profile_sentence(text: str) -> SentenceProfile:
    """The profile of one sentence."""
    judged = load_classifier().classify(text)
    return SentenceProfile(
        words=content_words(text),
        numbers=frozenset(_NUMBER.findall(text)),
        topics=judged.topics,
        change=judged.kinds["change"] + judged.kinds["slip"],
        plan=judged.kinds["plan"],
        is_denial=is_denial(text),
        mentions_now=mentions_now(text),
    )


def may_supersede(older: str, newer: str) -> bool:
    """Whether a newer sentence about the same person leaves it in doubt that an older one on its topic still holds."""
    old, new = profile_sentence(older), profile_sentence(newer)
    on_one_topic = topic_overlap(old.topics, new.topics) >= SAME_TOPIC
    return on_one_topic and _may_differ(old, new) and supersession_likelihood(older, newer) >= MAY_END


def _may_differ(old: SentenceProfile, new: SentenceProfile) -> bool:
    """Whether anything in them tells of a change: what only adds up (tea, coffee) does not."""
    other_number = bool(old.numbers and new.numbers and old.numbers != new.numbers)
    return new.change >= MAY_CHANGE or new.mentions_now or other_number or old.is_denial != new.is_denial


def supersession_likelihood(older: str, newer: str) -> float:
    """How likely it is that ``older`` no longer holds once ``newer`` was said, 0 to 1."""
    values = supersession_features(profile_sentence(older), profile_sentence(newer))
    return 1 / (1 + exp(-_logit(values)))


def _logit(values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True)) + BIAS


def supersession_features(old: SentenceProfile, new: SentenceProfile) -> tuple[float, ...]:
    """What speaks for an ending, in the order of ``WEIGHTS``; each from 0 to 1."""
    topic, same = topic_overlap(new.topics, old.topics), bool(old.words & new.words)
    return (
        float(same),
        topic,
        sum(share * old.topics[each] for each, share in new.topics.items()),
        float(bool(new.numbers and old.numbers and new.numbers != old.numbers)),
        float(new.is_denial != old.is_denial),
        new.plan,
        old.plan,
        float(new.mentions_now),
        new.change,
        same * new.change,
        topic * new.change,
        max(old.topics[each] * new.topics[each] for each in ONE_AT_A_TIME) * new.change,
    )


def topic_overlap(one: Mapping[Topic, float], other: Mapping[Topic, float]) -> float:
    """How far two texts are about the same topic: the overlap of their topics' probabilities, 0 to 1."""
    return sum(sqrt(share * other[topic]) for topic, share in one.items())


def content_words(text: str) -> frozenset[str]:
    """Content words; of Chinese the pairs of characters, which tell more than characters."""
    found = word_terms(fold(text))
    return frozenset(each for each in found if len(each) > 1 and not each.startswith("month:")) - COMMON_WORDS
