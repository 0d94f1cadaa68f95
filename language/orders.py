"""Does a sentence order the assistant about, or wish for a manner of being answered?

An order concerns tools, risk, roles, how far to believe something, or every answer to everybody. A wish about manner
(brevity, language, tone, form, a name to be called by) is a person's own to have.
"""

import re
from functools import lru_cache
from typing import Literal

from language.detection import language_of
from language.tables import Patterns, patterns_of

Order = Literal["conduct", "manner"]

_QUOTED = re.compile(r"```(.*?)(?:```|\Z)|`([^`\n]+)`|[\"“「『]([^\"“”「」『』\n]{3,300})[\"”」』]", re.DOTALL)
"""Code and quoted speech."""


def find_order(sentence: str) -> Order | None:
    """What a sentence asks of the assistant from now on; None for what only says something.

    An order of any sort that stands in code or inside a quotation is ``conduct``: it is nobody's own wish.
    """
    quoted = ["".join(each) for each in _QUOTED.findall(sentence)]
    if any(_is_order(each) or _is_wish(each) for each in quoted):
        return "conduct"
    if _is_order(sentence):
        return "conduct"
    return "manner" if _is_wish(sentence) else None


def is_standing(sentence: str) -> bool:
    """Whether it is said to hold from now on, not for the answer that is asked for."""
    return _words_of(sentence).standing.search(sentence) is not None


def is_one_off(sentence: str) -> bool:
    """Whether it wishes for a manner, or to be offered something or not, for this once, today or tonight only."""
    words = _words_of(sentence)
    wishes = words.manner.search(sentence) or words.offers.search(sentence)
    return bool(wishes) and words.one_off.search(sentence) is not None


@lru_cache(maxsize=8_192)
def _is_order(text: str) -> bool:
    return _words_of(text).orders.search(text) is not None


def _is_wish(text: str) -> bool:
    return _words_of(text).manner.search(text) is not None


def _words_of(text: str) -> Patterns:
    return patterns_of("orders", language_of(text))
