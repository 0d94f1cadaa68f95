"""A sentence without the one who said it: "I prefer X" becomes "Several people prefer X"."""

import re
from itertools import chain, repeat

from language import tables
from language.detection import language_of

_IN_ORDER = (
    "lead", "own_first", "am", "was", "have", "would", "will", "speaker", "addressed", "own", "owned", "self",
)  # fmt: skip
"""Patterns of the tables; what stands for each is the text of the same name with ``_for``."""
_PEOPLE, _THERE = "\ue001", "\ue002"


def generalize(sentence: str) -> str:
    """What several people said, in the third person; empty where somebody still speaks of themselves in it."""
    language = language_of(sentence)
    said = sentence.strip()
    for key in _IN_ORDER:
        instead = (
            tables.text(f"generalizing.{key}_for", language)
            .replace("{people}", _PEOPLE)
            .replace("{people_there}", _THERE)
        )
        said = tables.pattern(f"generalizing.{key}", language).sub(instead, said).strip()
    said = _name_people(said, language)
    if not said or tables.pattern("generalizing.left_over", language).search(said):
        return ""
    return f"{said[0].upper()}{said[1:]}".rstrip(" ,;，；")


def _name_people(said: str, language: tables.Language) -> str:
    """In full where they are named first; those to whom something is done are named apart."""
    first, again = (tables.text(f"generalizing.{each}", language) for each in ("people", "people_again"))
    named = "them" if _PEOPLE in said.partition(_THERE)[0] else "there"
    said = said.replace(_THERE, tables.text(f"generalizing.{named}", language))
    names = chain((first,), repeat(again))
    return re.sub(_PEOPLE, lambda _: next(names), said)
