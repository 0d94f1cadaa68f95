"""A sentence taken apart into clauses that each assert one thing; in English a fitted model tells where one begins.

``python -m evals.fit_clauses`` makes ``clauses.npz`` from the labelled sentences in ``evals/data/clauses``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from language import tables
from language.classifier import topic_overlap, words_classifier
from language.detection import DEFAULT, Language, language_of
from language.kinds import KEPT
from language.sentences import is_abbreviated
from language.tables import Patterns, is_spaced, patterns_of

BEGINS = 0.5
"""The score from which a clause is taken apart: doubtful ones stay whole, as in doubt nothing is ended as a whole."""
COLUMNS = 2_048
"""Hashed features."""
MAX_CHARACTERS = 600
"""Characters of a sentence that are looked at."""
_WORD = re.compile(r"[a-z0-9'’]+|[\u3400-\u9fff]|[^\w\s]", re.IGNORECASE)
_LEAD = re.compile(r"^[^\n…]{1,120}?(?: … |……)")
_NEAR_WORDS = 3


@dataclass(frozen=True)
class Place:
    """Where a clause may begin: ``left`` and ``right`` are the pieces between it and its neighbours."""

    at: int
    joint: str
    left: str
    right: str
    behind: str


@dataclass(frozen=True)
class Clause:
    """``sentence[start:end]``; where it has no subject of its own, that is ``sentence[lead[0]:lead[1]]``."""

    start: int
    end: int
    lead: tuple[int, int] | None = None


@lru_cache(maxsize=8_192)
def split_clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence in order, each an assertion of its own; most sentences are one."""
    looked, language = sentence[:MAX_CHARACTERS], language_of(sentence)
    begins = [each.at for each in find_places(looked) if begins_clause(each, language)]
    return clauses_from(sentence, begins)


def clauses_from(sentence: str, begins: Sequence[int]) -> tuple[Clause, ...]:
    """The clauses that begin at these places, the first at the beginning of the sentence."""
    return tuple(_clauses(sentence, begins, words_of(language_of(sentence))))


def add_lead(subject: str, clause: str) -> str:
    """A clause behind the subject that it goes on with, as one quotes with an omission."""
    return f"{subject}{tables.text('clauses.omission', language_of(clause))}{clause}"


def strip_lead(text: str) -> str:
    """A clause without the subject that ``add_lead`` put before it."""
    return _LEAD.sub("", text, count=1)


def words_of(language: Language) -> Patterns:
    """The patterns of a language."""
    return patterns_of("clauses", language)


def find_places(sentence: str) -> list[Place]:
    """Where a clause may begin: behind a pause, at a joining word, at a subject."""
    joints = words_of(language_of(sentence)).joints
    inside = (each for each in joints.finditer(sentence) if each.start() and each.end() < len(sentence.rstrip()))
    found = [each for each in inside if not is_abbreviated(sentence, each.start())]
    bounds = [0, *(each.end() for each in found), len(sentence)]
    return [
        Place(
            at=each.end(),
            joint=each[0].strip(),
            left=sentence[bounds[number] : each.start()],
            right=sentence[each.end() : bounds[number + 2]],
            behind=sentence[each.end() :],
        )
        for number, each in enumerate(found)
    ]


def begins_clause(place: Place, language: Language) -> bool:
    """Whether the model says that an assertion of its own begins there; without spaces, one may at every pause."""
    if not is_spaced(language):
        return True
    model = _load_model()
    return float(model.weights[place_columns(place)].sum() + np.dot(model.numbers, place_numbers(place))) > BEGINS


def place_columns(place: Place) -> list[int]:
    """Hashed features: the joint and the words around it."""
    before, behind = _WORD.findall(place.left.lower())[-_NEAR_WORDS:], _WORD.findall(place.behind.lower())[:_NEAR_WORDS]
    classes = [_word_class(word) for word in (*before[-2:], *behind)]
    named = [f"joint {place.joint.lower()}", f"classes {' '.join(classes[-3:])}", f"around {' '.join(classes[:4])}"]
    named += [f"class {at} {each}" for at, each in enumerate(classes)]
    named += [f"joint class {place.joint.lower()} {' '.join(classes[-3:][:2])}"]
    named += [f"-{len(before) - at} {word}" for at, word in enumerate(before)]
    named += [f"+{at} {word}" for at, word in enumerate(behind)]
    named += [f"next {' '.join(behind[:2])}", f"joint next {place.joint.lower()} {' '.join(behind[:1])}"]
    return sorted({crc32(each.encode()) % COLUMNS for each in named})


def _word_class(word: str) -> str:
    """What a word does in a sentence, roughly."""
    found = (each.fullmatch(word) for each in tables.pattern_list("clauses.classes", DEFAULT))
    return next((each.lastgroup or "" for each in found if each), "other")


def place_numbers(place: Place) -> NDArray[np.float32]:
    """What the pieces are like: long, with a verb and a subject, worth a memory, on one topic."""
    language = language_of(place.left + place.right)
    words = words_of(language)
    left, right = words_classifier().classify(place.left.strip()), words_classifier().classify(place.right.strip())
    keeps = [sum(each.kinds[kind] for kind in KEPT) for each in (left, right)]
    return np.array(
        [
            1.0,
            min(len(_WORD.findall(place.left)), 12) / 12,
            min(len(_WORD.findall(place.right)), 12) / 12,
            float(words.verb.search(place.left) is not None),
            float(words.verb.search(place.right) is not None),
            float(words.subject.match(place.right) is not None),
            float(words.subject.match(place.left) is not None),
            float(words.subject.match(place.right) is not None and words.verb.search(place.right) is not None),
            float(re.search(r"\d", place.right) is not None),
            float(words.goes_on.match(f"I\n{words.leading.sub('', place.right, count=1)}") is not None),
            float(words.verb.search(place.left) is not None and words.verb.search(place.right) is not None),
            *keeps,
            min(keeps),
            topic_overlap(left.topics, right.topics),
        ],
        np.float32,
    )


def _clauses(sentence: str, begins: Sequence[int], words: Patterns) -> Iterator[Clause]:
    """What has no subject is no clause of its own: it belongs to the one before it, at the beginning to the next."""
    last: Clause | None = None
    known: re.Match[str] | None = None
    for start, stop in pairwise([0, *begins, len(sentence)]):
        begin = stop - len(words.leading.sub("", sentence[start:stop], count=1)) if last else start
        end = start + len(words.trailing.sub("", sentence[start:stop]))
        if begin >= end:
            continue
        own = words.own_subject.match(sentence, begin, end)
        lead = None if own or not last else _lead(sentence[begin:end], known, words)
        if last and (known is None or (own is None and lead is None)):
            last, known = replace(last, end=end), own or known
            continue
        if last:
            yield last
        last, known = Clause(begin, end, lead), own or known
    if last:
        yield last


def _lead(clause: str, known: re.Match[str] | None, words: Patterns) -> tuple[int, int] | None:
    """The subject that a clause goes on with; where that is not sure, it stays with the clause before it."""
    if known is None or not words.goes_on.match(f"{known['subject']}\n{clause}"):
        return None
    return known.span("subject")


@dataclass(frozen=True, eq=False)
class ClauseModel:
    """Weights of the hashed features, and of the numbers."""

    weights: NDArray[np.float32]
    numbers: NDArray[np.float32]


@lru_cache(maxsize=1)
def _load_model() -> ClauseModel:
    with as_file(files("language") / "clauses.npz") as path, np.load(path) as held:
        return ClauseModel(held["en_weights"].astype(np.float32), held["en_numbers"])
