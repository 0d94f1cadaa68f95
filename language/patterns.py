"""The shape of an exact reader: a predicate, its topic and the patterns that find its value."""

import re
from dataclasses import dataclass

from language.kinds import Topic


@dataclass(frozen=True)
class Reader:
    """A predicate, its topic, and patterns that name the group ``value``."""

    predicate: str
    topic: Topic
    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class Value:
    """What a reader found: ``text`` stands in the sentence."""

    predicate: str
    topic: Topic
    text: str
    is_certain: bool = True


def reader(predicate: str, topic: Topic, *patterns: str) -> Reader:
    """A reader without regard to case; ``(?-i:…)`` within a pattern makes a name."""
    return Reader(predicate, topic, tuple(re.compile(each, re.IGNORECASE) for each in patterns))
