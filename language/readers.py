"""Exact readers: values that a sentence states in so many words, near-certain and few.

A reader that matches settles that the sentence is worth a memory, and under which predicate its value stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from language.categories import is_town
from language.detection import language_of
from language.kinds import Topic
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


def read_value(sentence: str) -> Value | None:
    """The first value that a reader finds; none in what is only supposed.

    What people move to may be a firm, a program or a diet.
    """
    return next((value for value, town in _read_all(sentence) if not town or is_town(town)), None)


@lru_cache(maxsize=8_192)
def _read_all(sentence: str) -> tuple[tuple[Value, str], ...]:
    """What the readers find, each with what has to be a town for it to hold, up to one for which nothing has to be."""
    language, found = language_of(sentence), list[tuple[Value, str]]()
    if pattern("readers.supposed", language).search(sentence):
        return ()
    for predicate, topic in READERS.items():
        for each in pattern_list(f"readers.{predicate}", language):
            if match := each.search(sentence):
                town = match.groupdict().get("town") or ""
                found.append((Value(predicate, topic, match["value"].strip(" .,，、")), town))
                if not town:
                    return tuple(found)
    return tuple(found)


@lru_cache(maxsize=8_192)
def read_denied_allergy(sentence: str) -> str:
    """What a sentence says that somebody is not allergic to, empty where it says nothing of the sort."""
    patterns = pattern_list("readers.denied_allergy", language_of(sentence))
    found = (match for each in patterns if (match := each.search(sentence)))
    return next((match["value"].strip(" .,，、") for match in found), "")
