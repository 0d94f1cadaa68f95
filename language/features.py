"""What the sentence classifier looks at: words and pieces of words as hashed features, the same in every process."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from zlib import crc32

BUCKETS = 1 << 15
"""Features are hashed into so many columns."""
LOOKED_AT = 300
"""Characters of a sentence that are looked at."""
BEFORE = 160
"""Characters of the message before it, from its end: what was asked last."""

_TOKEN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


def hash_features(text: str, before: str = "") -> frozenset[int]:
    """The columns that a sentence sets, in 0 … ``BUCKETS`` - 1; ``before`` is the other speaker's message before it."""
    return frozenset(_column(name) for name in (*_text_features(text), *_context_features(before)))


def _text_features(text: str) -> Iterator[str]:
    tokens = tokens_of(text[:LOOKED_AT])
    yield from _sequences(tokens)
    for place, token in enumerate(tokens):
        yield from _pieces(token)
        if place < 3:
            yield f"^{place}:{token}"
        if place >= len(tokens) - 2:
            yield f"${len(tokens) - place}:{token}"
    yield f"length:{min(len(tokens) // 4, 8)}"


def _context_features(before: str) -> Iterator[str]:
    """Nothing where nothing was said before; otherwise whether it asked, and in which words."""
    if not before:
        return
    tokens = tokens_of(before[-BEFORE:])
    asked = "?" in tokens[-3:]
    yield f"before:{'asked' if asked else 'told'}"
    if asked:
        yield from (f"before:{token}" for token in tokens)


def tokens_of(text: str) -> list[str]:
    """Words, ideographs, digits and marks, folded; digits only tell how many there are."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return ["0" * min(len(token), 6) if token.isdigit() else token for token in _TOKEN.findall(plain)]


def _sequences(tokens: list[str]) -> Iterator[str]:
    padded = ["^", *tokens, "$"]
    for size in (1, 2, 3, 4):
        for at in range(len(padded) - size + 1):
            run = padded[at : at + size]
            if size < 4 or all(_HAN.match(token) for token in run):
                yield " ".join(run)
    for first, second in zip(tokens, tokens[2:], strict=False):
        yield f"{first} * {second}"


@lru_cache(maxsize=65_536)
def _pieces(token: str) -> tuple[str, ...]:
    """Beginnings, ends and inner pieces of an alphabetic word, so that misspelt and unknown words count as well."""
    if len(token) < 4 or not token.isalpha():
        return ()
    edged = f"<{token}>"
    return tuple(f"~{edged[at : at + size]}" for size in (3, 4, 5) for at in range(len(edged) - size + 1))


@lru_cache(maxsize=262_144)
def _column(name: str) -> int:
    return crc32(name.encode()) & (BUCKETS - 1)
