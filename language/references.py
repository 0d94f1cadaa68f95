"""The absolutization gate: which words of a memory cannot be understood without the talk it came from.

The same function judges memories before they are written, the answers of a model, and the evaluation's results.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from language.detection import DEFAULT, Language, language_of
from language.tables import Patterns, pattern_of_all, patterns_of
from language.times import TimeSpan, find_times

Kind = Literal["speaker", "person", "thing", "time", "place"]

_QUOTED = re.compile(
    r"《[^《》]*》|〈[^〈〉]*〉|“([^“”]*)”|\"([^\"]*)\"|「([^「」]*)」|『([^『』]*)』|(?<!\w)‘([^‘’]*)’(?!\w)"
)
_MAX_NAME_CHARACTERS = 40
_LOOKED_BACK = 120
_BLANK = "\ue000"
_ANY_MOMENT = datetime(2024, 6, 12, 12, tzinfo=UTC)
_NUMBERED = 20
"""Characters before an «I» in which a word makes it a numeral."""
_ANCHOR = 6
"""Characters before a word for a place beside something in which it is said beside what."""
_MAX_PEOPLE = 9
"""People among whom an owner may be."""


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
    words = patterns_of("references", language or language_of(content))
    shown = words.fixed.sub(lambda found: _BLANK * len(found[0]), _blank_names(content))
    found = [*_relative_times(shown), *_words(shown, words)]
    apart: list[UnclearReference] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not apart or each.start >= apart[-1].end:
            apart.append(each)
    return apart


def needs_reference_time(content: str, time: TimeSpan) -> bool:
    """Whether a time needs a reference: hours of a habit and yearly feasts do not."""
    words = content[slice(*time.span)]
    if time.kind != "relative" or pattern_of_all("references.hour").match(words):
        return False
    return bool(pattern_of_all("references.sided").match(words)) or not pattern_of_all("references.holiday").search(
        words
    )


def _blank_names(content: str) -> str:
    return _QUOTED.sub(
        lambda found: _BLANK * len(found[0]) if len(found[0]) <= _MAX_NAME_CHARACTERS else found[0], content
    )


def _relative_times(shown: str) -> Iterator[UnclearReference]:
    for time in find_times(shown, _ANY_MOMENT, "UTC"):
        title = shown[time.span[0]].isupper() and is_title(shown, time.span, patterns_of("references", DEFAULT))
        if needs_reference_time(shown, time) and not title:
            yield UnclearReference(*time.span, shown[slice(*time.span)], "time")


def _matches(pattern: re.Pattern[str], shown: str, kind: Kind) -> Iterator[UnclearReference]:
    for found in pattern.finditer(shown):
        yield UnclearReference(*found.span(), found[0], kind)


def _words(shown: str, words: Patterns) -> Iterator[UnclearReference]:
    plain = shown.lower() if shown.isupper() else shown
    yield from (each for each in _unclear_words(plain, words) if not is_title(plain, (each.start, each.end), words))


def _unclear_words(shown: str, words: Patterns) -> Iterator[UnclearReference]:
    for each in _matches(words.speaker, shown, "speaker"):
        if not (each.words == "I" and words.roman.search(shown[max(0, each.start - _NUMBERED) : each.start])):
            yield each
    for pattern, most in ((words.subject, 1), (words.owner, _MAX_PEOPLE)):
        yield from (
            each for each in _matches(pattern, shown, "person") if not _has_antecedent(shown, each, most, words)
        )
    yield from _matches(words.other, shown, "person")
    yield from _matches(words.thing, shown, "thing")
    yield from _matches(words.place, shown, "place")
    yield from _matches(words.time, shown, "time")
    for each in _matches(words.beside, shown, "place"):
        if not words.anchor.search(shown[max(0, each.start - _ANCHOR) : each.start]):
            yield each


def _has_antecedent(shown: str, each: UnclearReference, most: int, words: Patterns) -> bool:
    """Whether the sentence itself has said who is meant: one of at most so many people."""
    before = shown[max(0, each.start - _LOOKED_BACK) : each.start]
    if words.its.fullmatch(each.words):
        return len(before.split()) > 1
    return 0 < len(_antecedents(before, words)) <= most


def _antecedents(before: str, words: Patterns) -> set[str]:
    """The people that a sentence has named so far: «The user», and names that stand after no preposition of place."""
    people = {"the user"} if words.the_user.search(before) else set[str]()
    for found in words.name.finditer(before):
        if not found["before"] and not words.no_name.fullmatch(found["name"]):
            people.add(words.article.sub("", found["name"]))
    return people


def _starts_sentence(content: str, at: int) -> bool:
    """Whether the word at that place is the first of its sentence."""
    return not content[:at].strip(" \"'“”‘’(") or content[:at].rstrip(" \"'“”‘’(")[-1] in ".!?:;\n"


def is_title(content: str, span: tuple[int, int], words: Patterns) -> bool:
    """Whether the word is written as part of a name: capitalised within a sentence, or before another such word."""
    start, end = span
    word = content[start:end]
    if words.abbreviation.fullmatch(word):
        return True
    if word[0].isupper() and not words.always_capital.match(word) and not _starts_sentence(content, start):
        return True
    goes_on = words.name_goes_on.match(content, end)
    return bool(goes_on and words.before_a_name.fullmatch(word)) and not words.day.match(content, end + 1)
