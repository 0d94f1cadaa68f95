"""Whether the words that a note quotes prove what it says: a real quote under a wrong sentence proves nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from evolution.extraction.form import NotedMemory
from evolution.extraction.prompt import ExtractionInput
from evolution.state import TurnRecord
from language.detection import language_of
from language.encoder import sentence_encoder
from language.similarity import content_terms, is_negated
from language.times import find_times

NEAR = 0.3
"""The encoder's cosine from which a note that shares no word with its turn may be a rewording of it."""
SAID = 0.75
"""Share of a note's words that the conversation has to have, for the person to have said it themselves."""
OPPOSITE = 0.7
"""Share of a note's words that a denial has to have, for a note without its denial to be the opposite."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+\b")
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|half|once|twice)\b"
    r"|[零〇一二两三四五六七八九十百千万半]",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Sept|Nov|Dec)ember|October|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
)
_NAMING = re.compile(r"\b(?:the|a)\s+user(?:['’]s)?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    """What is wrong with one entry: a code for the record, words for the model."""

    reason: str
    words: str


def find_contradictions(entry: NotedMemory, turn: TurnRecord, reading: ExtractionInput) -> Iterator[Fault]:
    """Values that nobody said, the opposite of what was said, and what has nothing to do with it."""
    if value := _find_unsaid_value(entry, turn, reading):
        yield Fault("value_not_said", f"nobody said {value!r} in this conversation")
    if _says_opposite(entry, turn):
        yield Fault("says_the_opposite", "content says the opposite of the quote")
    if not _is_about_it(entry, turn):
        yield Fault("quote_proves_nothing", "the quote does not say what content says")


def is_said(entry: NotedMemory, reading: ExtractionInput) -> bool:
    """Whether the person used the words themselves, so that nothing of it is a conclusion."""
    terms = content_terms(f"{entry.content} {entry.object}")
    return len(terms & content_terms(_heard(reading))) >= SAID * len(terms)


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
    names: list[str] = []
    if language_of(turn["text"]) == "en":
        lowered = heard.lower()
        told = [each for each in _NAME.findall(_NAMING.sub("", said)) if not _TIMES.fullmatch(each)]
        names = [each for each in told if each.lower()[:5] not in lowered]
    return next(iter((*numbers, *names)), "")


def _tells_time(turn: TurnRecord) -> bool:
    """Whether dates may have been worked out ("last week"), or numbers written in digits ("two dogs")."""
    at = datetime.fromisoformat(turn["at"])
    return bool(find_times(turn["text"], at, turn["time_zone"])) or _NUMBER_WORD.search(turn["text"]) is not None


def _says_opposite(entry: NotedMemory, turn: TurnRecord) -> bool:
    """Whether one denies what the other says, in nearly the same words."""
    denies = entry.negated or is_negated(entry.content)
    told, quoted = content_terms(entry.content), content_terms(entry.quote)
    if denies and not is_negated(turn["text"]):
        return bool(told) and len(told & quoted) >= OPPOSITE * len(quoted)
    return not denies and is_negated(entry.quote) and bool(told) and len(told & quoted) >= OPPOSITE * len(told)


def _is_about_it(entry: NotedMemory, turn: TurnRecord) -> bool:
    """Whether the note has a word of its turn, or the encoder finds it near; without the encoder, in doubt it is."""
    told = content_terms(f"{entry.content} {entry.object}")
    encoder = sentence_encoder()
    if told & content_terms(turn["text"]) or not encoder.is_loaded:
        return True
    one, other = encoder.encode([entry.content, turn["text"]])
    return float(np.dot(one, other)) >= NEAR
