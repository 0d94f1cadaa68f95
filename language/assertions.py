"""Whether a sentence asserts more than one thing, so that the end of one part says nothing about the others."""

import re
from functools import lru_cache

from language.detection import language_of
from language.tables import is_spaced, patterns_of
from language.terms import fold, word_terms
from language.values import find_values

MIN_CHARACTERS = 3
"""Characters from which a part says something, where no spaces stand between words."""


def has_several_assertions(sentence: str) -> bool:
    """Whether two or more of its parts say something each; when in doubt they do, and nothing is ended as a whole."""
    return len(split_assertions(sentence)) > 1


@lru_cache(maxsize=8_192)
def split_assertions(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence that say something by themselves; what only says when or how is part of none."""
    words = patterns_of("assertions", language_of(sentence))
    parts = (words.filling.sub(" ", part) for part in words.joints.split(sentence) if part)
    return tuple(part.strip() for part in parts if _says_something(part))


def says_more(sentence: str, about: str) -> bool:
    """Whether a sentence has a part of its own that shares no word with what is named, or tells of several people."""
    named = frozenset(word_terms(fold(about)))
    parts = [frozenset(word_terms(fold(part))) for part in split_assertions(sentence)]
    if len(parts) > 1 and any(len(part) > 1 and part.isdisjoint(named) for part in parts):
        return True
    return len(_relatives_in(sentence)) > 1 and len(_relatives_in(about)) < 2


def _relatives_in(text: str) -> set[str]:
    """Whom of its speaker's people a text names."""
    return {found[0] for found in patterns_of("assertions", language_of(text)).relative.finditer(fold(text))}


def _says_something(part: str) -> bool:
    """Whether more than times and single fillers is left of a part."""
    if not is_spaced(language_of(part)):
        return len(re.sub(r"\W+", "", part)) >= MIN_CHARACTERS
    return bool(word_terms(fold(_without_times(part))))


def _without_times(part: str) -> str:
    for value in reversed(find_values(part)):
        if value.kind in ("time", "weekday", "month", "day", "year"):
            part = part[: value.start] + " " + part[value.end :]
    return part
