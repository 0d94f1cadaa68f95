"""Exact readers: values that a sentence states in so many words, near-certain and few.

A reader that matches settles that the sentence is worth a memory, and under which predicate its value stands.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from language.detection import language_of
from language.kinds import Topic
from language.likeness import is_town
from language.tables import pattern, pattern_list

READERS: Mapping[str, Topic] = {
    "name": "name",
    "nickname": "name",
    "birthday": "birth",
    "age": "birth",
    "lives_in": "home",
    "origin": "origin",
    "works_at": "work",
    "job": "work",
    "allergic_to": "diet",
    "diet": "diet",
    "has_family": "family",
    "note": "other",
}
"""Predicates whose values are read off sentences, with their topics; the first that is found counts."""


@dataclass(frozen=True)
class Value:
    """What a reader found: ``text`` stands in the sentence."""

    predicate: str
    topic: Topic
    text: str
    is_certain: bool = True


@lru_cache(maxsize=8_192)
def read_value(sentence: str) -> Value | None:
    """The first value that a reader finds; none in what is only supposed."""
    language = language_of(sentence)
    if pattern("readers.supposed", language).search(sentence):
        return None
    for predicate, topic in READERS.items():
        for each in pattern_list(f"readers.{predicate}", language):
            if (found := each.search(sentence)) and _is_meant(found):
                return Value(predicate, topic, found["value"].strip(" .,，、"))
    return None


def _is_meant(found: re.Match[str]) -> bool:
    """Whether a value is what its reader takes it for: what people move to may be a firm, a program or a diet."""
    town = found.groupdict().get("town")
    return town is None or is_town(town)


@lru_cache(maxsize=8_192)
def read_denied_allergy(sentence: str) -> str:
    """What a sentence says that somebody is not allergic to, empty where it says nothing of the sort."""
    patterns = pattern_list("readers.denied_allergy", language_of(sentence))
    found = (match for each in patterns if (match := each.search(sentence)))
    return next((match["value"].strip(" .,，、") for match in found), "")
