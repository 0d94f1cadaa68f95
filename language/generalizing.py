"""A sentence without the one who said it: "I prefer X" becomes "Several people prefer X"."""

import re
from itertools import chain, repeat

from language import tables
from language.detection import language_of

_IN_ORDER = (
    ("lead", "nothing"),
    ("own_first", "of_all"),
    ("am", "they_are"),
    ("was", "they_were"),
    ("have", "they_have"),
    ("would", "they_would"),
    ("will", "they_will"),
    ("speaker", "they"),
    ("addressed", "to_them"),
    ("own", "their"),
    ("owned", "theirs"),
    ("self", "themselves"),
)
"""Patterns of the tables, and the text that stands for each."""
_PEOPLE, _THERE = "\ue001", "\ue002"


def generalize(sentence: str) -> str:
    """What several people said, in the third person; empty where that would be another thing.

    "It jams when we use paper" is not that it jams when several people do: only who speaks first of themselves can be
    replaced.
    """
    language = language_of(sentence)
    said = sentence.strip()
    for key, name in _IN_ORDER:
        instead = (
            tables.text(f"generalizing.{name}", language).replace("{people}", _PEOPLE).replace("{people_there}", _THERE)
        )
        said = tables.pattern(f"generalizing.{key}", language).sub(instead, said).strip()
    if _PEOPLE in said and not said.startswith(_PEOPLE):
        return ""
    said = _name_people(said, language)
    if not said or names_speaker(said):
        return ""
    return f"{said[0].upper()}{said[1:]}".rstrip(" ,;，；")


def names_speaker(said: str) -> bool:
    """Whether somebody speaks of themselves in it, or to somebody."""
    return tables.pattern("generalizing.left_over", language_of(said)).search(said) is not None


def _name_people(said: str, language: tables.Language) -> str:
    """In full where they are named first; those to whom something is done are named apart."""
    first, again = (tables.text(f"generalizing.{each}", language) for each in ("people", "people_again"))
    named = "them" if _PEOPLE in said.partition(_THERE)[0] else "there"
    said = said.replace(_THERE, tables.text(f"generalizing.{named}", language))
    names = chain((first,), repeat(again))
    return re.sub(_PEOPLE, lambda _: next(names), said)
