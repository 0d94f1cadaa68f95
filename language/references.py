"""The absolutization gate: which words of a memory cannot be understood without the talk it came from.

The same function judges memories before they are written, the answers of a model, and the evaluation's results.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from language.detection import Language, language_of
from language.en import references as english
from language.times import TimeSpan, find_times
from language.zh import references as chinese

Kind = Literal["speaker", "person", "thing", "time", "place"]

_QUOTED = re.compile(
    r"《[^《》]*》|〈[^〈〉]*〉|“([^“”]*)”|\"([^\"]*)\"|「([^「」]*)」|『([^『』]*)』|(?<!\w)‘([^‘’]*)’(?!\w)"
)
_LONGEST_NAME = 40
_LOOKED_BACK = 120
_BLANK = "\ue000"
_ANY_MOMENT = datetime(2024, 6, 12, 12, tzinfo=UTC)
_HOUR = re.compile(
    r"at\s+\d|\d{1,2}(?::\d\d)?\s?[ap]\.?m|(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)", re.IGNORECASE
)
_SIDED = re.compile(r"(?:last|this|next)\b", re.IGNORECASE)
_HOLIDAY = re.compile(r"christmas|new\s+year|halloween|valentine", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class UnclearReference:
    """One word, or few, at ``[start, end)`` that point at something outside of the sentence."""

    start: int
    end: int
    words: str
    kind: Kind


def unresolved_words(content: str, language: Language | None = None) -> list[str]:
    """The words of a memory that point outside of it, verbatim and once each, in order; none when it stands alone.

    ``language`` is told by the script when it is not given. Quoted names, titles and fixed phrases point nowhere.
    """
    return list(dict.fromkeys(each.words for each in find_unclear(content, language)))


def find_unclear(content: str, language: Language | None = None) -> list[UnclearReference]:
    """Every place that the gate objects to, in order, none overlapping."""
    tongue = language or language_of(content)
    shown = _blank_names(content)
    shown = (chinese.FIXED if tongue == "zh" else english.FIXED).sub(lambda found: _BLANK * len(found[0]), shown)
    found = [*_relative_times(shown), *(_chinese(shown) if tongue == "zh" else _english(shown))]
    apart: list[UnclearReference] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not apart or each.start >= apart[-1].end:
            apart.append(each)
    return apart


def needs_reference_time(content: str, time: TimeSpan) -> bool:
    """Whether a time needs a reference: hours of a habit and yearly feasts do not."""
    words = content[slice(*time.span)]
    if time.kind != "relative" or _HOUR.match(words):
        return False
    return bool(_SIDED.match(words)) or not _HOLIDAY.search(words)


def _blank_names(content: str) -> str:
    return _QUOTED.sub(lambda found: _BLANK * len(found[0]) if len(found[0]) <= _LONGEST_NAME else found[0], content)


def _relative_times(shown: str) -> Iterator[UnclearReference]:
    for time in find_times(shown, _ANY_MOMENT, "UTC"):
        title = shown[time.span[0]].isupper() and english.is_title(shown, time.span)
        if needs_reference_time(shown, time) and not title:
            yield UnclearReference(*time.span, shown[slice(*time.span)], "time")


def _matches(pattern: re.Pattern[str], shown: str, kind: Kind) -> Iterator[UnclearReference]:
    for found in pattern.finditer(shown):
        yield UnclearReference(*found.span(), found[0], kind)


def _chinese(shown: str) -> Iterator[UnclearReference]:
    yield from _matches(chinese.TIME, shown, "time")
    yield from _matches(chinese.PLACE, shown, "place")
    yield from _matches(chinese.THING, shown, "thing")
    for each in _matches(chinese.PERSON, shown, "person"):
        yield UnclearReference(each.start, each.end, each.words, "speaker" if each.words in _SPEAKERS else "person")
    yield from (each for each in _matches(chinese.BESIDE, shown, "place") if not chinese.has_anchor(shown, each.start))


_SPEAKERS = frozenset({"我", "我们", "咱", "咱们", "俺", "俺们", "本人"})


def _english(shown: str) -> Iterator[UnclearReference]:
    plain = shown.lower() if shown.isupper() else shown
    for each in _english_words(plain):
        if not english.is_title(plain, (each.start, each.end)):
            yield each


def _english_words(shown: str) -> Iterator[UnclearReference]:
    yield from (
        each
        for each in _matches(english.SPEAKER, shown, "speaker")
        if not (each.words == "I" and english.ROMAN.search(shown[max(0, each.start - 20) : each.start]))
    )
    yield from (each for each in _matches(english.SUBJECT, shown, "person") if not _has_antecedent(shown, each, 1))
    yield from (each for each in _matches(english.OWNER, shown, "person") if not _has_antecedent(shown, each, 9))
    yield from _matches(english.OTHER, shown, "person")
    yield from _matches(english.THING, shown, "thing")
    yield from _matches(english.PLACE, shown, "place")
    yield from _matches(english.TIME, shown, "time")


def _has_antecedent(shown: str, each: UnclearReference, most: int) -> bool:
    """Whether the sentence itself has said who is meant: one of at most so many people."""
    before = shown[max(0, each.start - _LOOKED_BACK) : each.start]
    if each.words.lower() in ("its", "itself"):
        return len(before.split()) > 1
    return 0 < len(english.antecedents(before)) <= most
