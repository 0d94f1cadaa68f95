"""The words by which something ends, changes or is added, as the tables ``endings`` of each language have them."""

from datetime import datetime, timedelta
from functools import lru_cache

from language import tables
from language.classifier import load_classifier
from language.detection import language_of
from language.kinds import ValueKind
from language.tables import Patterns, patterns_of
from language.values import find_values

LONG_BEFORE = timedelta(days=180)
"""From when on what came about no longer tells how it is now."""
_DATES: frozenset[ValueKind] = frozenset({"day", "month", "year"})
_WHEN: frozenset[ValueKind] = frozenset({"day", "month", "year", "weekday", "time", "number"})
EVENT = 0.5
"""How probable it has to be that a sentence tells of something that happened once."""


def ending_words(text: str) -> Patterns:
    """The words by which something ends, changes or is put right, in the language of a text."""
    return patterns_of("endings", language_of(text))


@lru_cache(maxsize=8_192)
def tells_change(text: str) -> bool:
    """Whether words of it say that something has changed."""
    return ending_words(text).changes.search(text) is not None


@lru_cache(maxsize=8_192)
def tells_addition(text: str) -> bool:
    """Whether it tells of one more thing, or of one occasion."""
    words = ending_words(text)
    return bool(words.adds.search(text) or words.one_time.search(text))


@lru_cache(maxsize=8_192)
def is_bare_change(text: str) -> bool:
    """Whether it only says to when something was moved that was told before ("it was moved to 13 May")."""
    kinds = {each.kind for each in find_values(text)}
    return bool(kinds) and kinds <= _WHEN and ending_words(text).bare_change.search(text) is not None


def is_appointment(text: str) -> bool:
    """Whether it tells when something is going to be, which may be moved; not when something was, or always is."""
    words = ending_words(text)
    return words.appointed.search(text) is not None and words.fixed.search(text) is None and not is_event(text)


@lru_cache(maxsize=8_192)
def is_unsure(text: str) -> bool:
    """Whether it does not assert what it says: it supposes, wishes, plans or asks."""
    return ending_words(text).not_so.search(text) is not None


@lru_cache(maxsize=8_192)
def certain_words(text: str) -> str:
    """What it asserts: all of it, or the rest where only a reason wishes or plans ("I moved because I wanted to …")."""
    if not is_unsure(text):
        return text
    rest = ending_words(text).reason.sub("", text)
    return "" if is_unsure(rest) else rest


@lru_cache(maxsize=8_192)
def is_past(text: str) -> bool:
    """Whether it tells of a while, or of a time long ago, which says nothing about now."""
    return ending_words(text).passed.search(text) is not None


def tells_of_before(text: str) -> bool:
    """Whether it tells of a time that it says lies behind: a year, how it used to be."""
    return ending_words(text).before.search(text) is not None


def happened_long_before(moment: datetime, text: str, began: datetime) -> bool:
    """Whether a text tells of what came about more than ``LONG_BEFORE`` before a moment ("I moved to Glasgow in 2015"):
    it does not tell what holds then, unless it says that it has been so since.
    """
    return began < moment - LONG_BEFORE and tells_of_date(text)


def tells_of_date(text: str) -> bool:
    """Whether it tells of a time that lies behind, or of the month and year in which something came about."""
    return tells_of_before(text) or ending_words(text).dated.search(text) is not None


@lru_cache(maxsize=8_192)
def is_event(text: str) -> bool:
    """Whether a sentence tells of something that happened once: it stays true whatever comes after it."""
    if ending_words(text).once.search(text) or _is_dated_act(text):
        return True
    return load_classifier().classify(text).kinds["event"] >= EVENT


def _is_dated_act(text: str) -> bool:
    """Whether somebody did something on a day, in a month or in a year."""
    return ending_words(text).did.search(text) is not None and any(each.kind in _DATES for each in find_values(text))


@lru_cache(maxsize=8_192)
def ended_things(text: str) -> tuple[str, ...]:
    """What a sentence says is over, in its words."""
    patterns = tables.pattern_list("endings.endings", language_of(text))
    named = (found["what"].strip(" ,，.。") for pattern in patterns for found in pattern.finditer(text))
    return tuple(each for each in named if each)
