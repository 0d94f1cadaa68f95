"""What kind of answer a question wants (a name, a place, a time, a number), and whether a text holds one."""

import re
from functools import lru_cache

from language.tables import pattern_of_all

_TYPES = (("asks_name", "name"), ("asks_place", "place"), ("asks_time", "time"), ("asks_number", "number"))
UNKNOWN = 0.5
"""What stands for the share where a question asks for no kind that can be told."""


def answer_share(question: str, text: str) -> float:
    """Share of the kinds of answer that the question wants of which the text holds one (0..1), or ``UNKNOWN``."""
    wanted = _wanted_types(question)
    return sum(bool(answer.search(text)) for answer in wanted) / len(wanted) if wanted else UNKNOWN


@lru_cache(maxsize=64)
def _wanted_types(question: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_words(answer) for asks, answer in _TYPES if _words(asks).search(question))


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"answer_types.{key}")
