"""The words of each language by which something ends, changes or is put right, and the matters that have one value."""

import re
from typing import Protocol

from language.detection import language_of
from language.en import endings as english
from language.zh import endings as chinese


class EndingWords(Protocol):
    """What a language's own file holds."""

    NOT_SO: re.Pattern[str]
    ADDS: re.Pattern[str]
    ONE_TIME: re.Pattern[str]
    SETTLES: re.Pattern[str]
    BEFORE: re.Pattern[str]
    CHANGES: re.Pattern[str]
    ONCE: re.Pattern[str]
    RELATIVE: re.Pattern[str]
    ACTS: frozenset[str]
    ENDINGS: tuple[re.Pattern[str], ...]
    MATTERS: tuple[re.Pattern[str], ...]
    JOINTS: re.Pattern[str]
    STATES: tuple[frozenset[str], ...]
    DENIES: re.Pattern[str]
    LIKES: re.Pattern[str]
    DISLIKES: re.Pattern[str]

    def holds_as_object(self, statement: str, what: str) -> str: ...


def words_of(text: str) -> EndingWords:
    """The patterns of a text's language."""
    return chinese if language_of(text) == "zh" else english
