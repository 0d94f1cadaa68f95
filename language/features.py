"""What the sentence classifier looks at: words and pieces of words as hashed features, the same in every process."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
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
    tokens = tokens_of(text[:LOOKED_AT])
    columns = set(map(_column, (*_sequences(tokens), *_edges(tokens), *_context_features(before))))
    return frozenset(columns.union(*map(_piece_columns, tokens)))


def _edges(tokens: list[str]) -> Iterator[str]:
    """The first three tokens and the last two by their places, and about how many there are."""
    for place, token in enumerate(tokens[:3]):
        yield f"^{place}:{token}"
    for back, token in enumerate(reversed(tokens[-2:]), 1):
        yield f"${back}:{token}"
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


def _sequences(tokens: list[str]) -> list[str]:
    """Runs of one to three tokens, runs of four ideographs, and pairs with one token between them."""
    padded = ["^", *tokens, "$"]
    pairs = list(map(" ".join, pairwise(padded)))
    triples = [f"{pair} {third}" for pair, third in zip(pairs, padded[2:], strict=False)]
    ideographs = [_HAN.match(token) is not None for token in padded]
    fours = [f"{triple} {padded[at + 3]}" for at, triple in enumerate(triples[:-1]) if all(ideographs[at : at + 4])]
    return [*padded, *pairs, *triples, *fours, *map(" * ".join, zip(tokens, tokens[2:], strict=False))]


@lru_cache(maxsize=65_536)
def _piece_columns(token: str) -> frozenset[int]:
    """Beginnings, ends and inner pieces of an alphabetic word, so that misspelt and unknown words count as well."""
    if len(token) < 4 or not token.isalpha():
        return frozenset()
    edged = f"<{token}>"
    pieces = (f"~{edged[at : at + size]}" for size in (3, 4, 5) for at in range(len(edged) - size + 1))
    return frozenset(map(_column, pieces))


@lru_cache(maxsize=262_144)
def _column(name: str) -> int:
    return crc32(name.encode()) & (BUCKETS - 1)
