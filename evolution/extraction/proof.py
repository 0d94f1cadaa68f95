"""Whether the words that a note quotes prove what it says: a real quote under a wrong sentence proves nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from evolution.extraction.form import NotedMemory
from evolution.extraction.prompt import ExtractionInput
from evolution.speakers import subject_of, subject_of_speaker
from evolution.state import TurnRecord
from language.detection import language_of
from language.encoder import sentence_encoder
from language.predicates import fold_relation, relations_in
from language.similarity import content_terms, is_denial
from language.tables import is_spaced, pattern_of_all
from language.times import find_times

MIN_SIMILARITY = 0.3
"""The encoder's cosine from which a note with few of its turn's words may be a rewording of them."""
HEARD = 0.2
"""Share of a note's words from which on it is about what was said; of notes put under other turns, 95 % stay below."""
SAID = 0.75
"""Share of a note's words that its turn has to have, for the person to have said it themselves."""
SAME = 0.85
"""Share of the words of the shorter of two notes, or cosine of both, from which on they say the same."""
SHARED = 0.6
"""Share of the words of one clause that another has to have, for their denials to be compared."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_LATIN = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True)
class Fault:
    """What is wrong with one entry: a code for the record, words for the model."""

    reason: str
    words: str


def find_contradictions(entry: NotedMemory, turn: TurnRecord, reading: ExtractionInput) -> Iterator[Fault]:
    """Values and people that nobody named, the opposite of what was said, and what has nothing to do with it."""
    if value := _find_unsaid_value(entry, turn, reading):
        yield Fault("value_not_said", f"nobody said {value!r} in this conversation")
    if not _is_subject_named(entry, turn, reading):
        yield Fault("subject_not_named", f"nobody spoke of {entry.subject!r}; the quote is about somebody else")
    if _says_opposite(entry):
        yield Fault("says_the_opposite", "content says the opposite of the quote")
    if not _is_about_it(entry, turn, reading):
        yield Fault("quote_proves_nothing", "the quote does not say what content says")


def is_said(entry: NotedMemory, reading: ExtractionInput) -> bool:
    """Whether the words were used in the conversation, so that nothing of it is a conclusion."""
    terms = content_terms(f"{entry.content} {entry.object}")
    return len(terms & content_terms(_heard(reading))) >= SAID * len(terms)


def says_the_same(one: str, other: str) -> bool:
    """Whether one of two notes holds all but a little of what the other says; the encoder hears other words for it."""
    told, heard = content_terms(one), content_terms(other)
    if len(told & heard) >= SAME * min(len(told), len(heard)):
        return True
    encoder = sentence_encoder()
    if not encoder.is_loaded:
        return False
    first, second = encoder.encode([one, other])
    return float(np.dot(first, second)) >= SAME


def _heard(reading: ExtractionInput) -> str:
    turns = (*reading.before, *reading.said)
    known = (each["content"] for each in reading.known)
    return " ".join([*(f"{each['speaker']} {each['text']}" for each in turns), *known])


def _find_unsaid_value(entry: NotedMemory, turn: TurnRecord, reading: ExtractionInput) -> str:
    """A number or a name of the note that stands nowhere; times are worked out, and names may be translated."""
    heard = _heard(reading)
    said = f"{entry.content} {entry.object}"
    day = turn["at"][:10].replace("-0", "-").split("-")
    found = [] if _tells_time(turn) else _NUMBER.findall(said)
    numbers = [each for each in found if each not in heard and each.lstrip("0") not in day]
    lowered = heard.lower()
    if is_spaced(language_of(turn["text"])):
        told = [each for each in _NAME.findall(_words("naming").sub("", said)) if not _words("times").fullmatch(each)]
        names = [each for each in told if content_terms(each) and each.lower()[:5] not in lowered]
    else:
        names = [each for each in _LATIN.findall(said) if each.lower() not in lowered]
    return next(iter((*numbers, *names)), "")


def _is_subject_named(entry: NotedMemory, turn: TurnRecord, reading: ExtractionInput) -> bool:
    """Whether somebody spoke of whom it is about, by name or relation, in either language."""
    if subject_of(entry.subject, turn) == subject_of_speaker(turn):
        return True
    heard = _heard(reading).lower()
    named = [each for each in re.findall(r"\w+", entry.subject.lower()) if len(each) > 1 or each >= "\u2e80"]
    if any(each[:5] in heard or not {*each}.isdisjoint(_ideographs(heard)) for each in named):
        return True
    return not {word for each in named for word in fold_relation(each).split()}.isdisjoint(relations_in(heard))


def _ideographs(text: str) -> frozenset[str]:
    return frozenset(char for char in text if char >= "\u2e80")


def _tells_time(turn: TurnRecord) -> bool:
    """Whether dates may have been worked out ("last week"), or numbers written in digits ("two dogs")."""
    at = datetime.fromisoformat(turn["at"])
    return (
        bool(find_times(turn["text"], at, turn["time_zone"])) or _words("number_word").search(turn["text"]) is not None
    )


def _says_opposite(entry: NotedMemory) -> bool:
    """Whether a clause of one denies what a clause of the other says in nearly the same words."""
    quoted = [each for each in _words("clause").split(entry.quote) if each.strip()]
    return any(_contradicts(each, quoted) for each in _words("clause").split(entry.content) if each.strip())


def _contradicts(clause: str, quoted: Sequence[str]) -> bool:
    """Measured against the clause that has most of its words."""
    told = content_terms(clause)
    heard = max(quoted, key=lambda each: len(told & content_terms(each)), default="")
    shared, fewer = len(told & content_terms(heard)), min(len(told), len(content_terms(heard)))
    return shared > 0 and shared >= SHARED * fewer and fewer > 1 and is_denial(clause) != is_denial(heard)


def _is_about_it(entry: NotedMemory, turn: TurnRecord, reading: ExtractionInput) -> bool:
    """Whether the note has words of its turn, or of what the turn answers, or the encoder finds it near the turn."""
    told = content_terms(f"{entry.content} {entry.object}")
    if len(told & content_terms(f"{_answered(turn, reading)} {turn['text']}")) >= HEARD * len(told):
        return True
    encoder = sentence_encoder()
    if not encoder.is_loaded:
        return True
    content, *heard = encoder.encode([entry.content, entry.quote, turn["text"]])
    return max(float(np.dot(content, each)) for each in heard) >= MIN_SIMILARITY


def _answered(turn: TurnRecord, reading: ExtractionInput) -> str:
    """What was said right before a turn."""
    turns = [*reading.before, *reading.said]
    place = turns.index(turn)
    return turns[place - 1]["text"] if place else ""


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"extraction.{key}")
