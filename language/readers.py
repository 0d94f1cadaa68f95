"""Exact readers: values that a sentence states in so many words, near-certain and few.

A reader that matches settles that the sentence is worth a memory, and under which predicate its value stands.
"""

from collections.abc import Sequence

from language.detection import language_of
from language.en import readers as english
from language.patterns import Reader, Value
from language.zh import readers as chinese

READ_OFF = frozenset(each.predicate for each in (*english.READERS, *chinese.READERS))
"""Predicates whose values are read off sentences."""


def read_value(sentence: str) -> Value | None:
    """The first value that a reader finds; none in what is only supposed."""
    tongue = chinese if language_of(sentence) == "zh" else english
    return None if tongue.SUPPOSED.search(sentence) else _first(tongue.READERS, sentence)


def _first(readers: Sequence[Reader], sentence: str) -> Value | None:
    for each in readers:
        for pattern in each.patterns:
            if found := pattern.search(sentence):
                return Value(each.predicate, each.topic, found["value"].strip(" .,，、"))
    return None
