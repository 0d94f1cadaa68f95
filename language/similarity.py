"""Whether two texts say the same. Words only, no model."""

import re
from functools import lru_cache

from language.terms import fold, word_terms

_NAMING = re.compile(
    r"\b(?:the\s+)?user(?:['’]s)?\b|用户的?|我们?的?|\(?\b(?:since\s+)?[12]\d{3}-\d{2}-\d{2}\b\)?", re.IGNORECASE
)
"""How a note names the person, and the date behind it: neither is what it says."""
_NEGATED = re.compile(
    r"\b(?:not|never|no|nor|without|hardly|cannot)\b|n['’]t\b"
    r"|不(?!错|过|但|仅|管|断|久)|没|无(?!论)|未(?!来)|(?<!除)非(?!常|得|要|洲)|(?<![特分级区个性类识])别(?![人的墅名])",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"(?:^|[.!?。！？])\s*(?:no|nope|不|不是|没有)\s*[,.!，。！]", re.IGNORECASE)
"""A "no" to what was said before denies nothing of what follows."""


@lru_cache(maxsize=8_192)
def content_terms(text: str) -> frozenset[str]:
    """What a text says, as terms, however it names the person."""
    return frozenset(word_terms(fold(_NAMING.sub(" ", text))))


def is_contained_in(text: str, other: str) -> bool:
    """Whether everything that a text says stands in the other as well, and neither denies it."""
    terms = content_terms(text)
    return bool(terms) and terms <= content_terms(other) and is_negated(text) == is_negated(other)


@lru_cache(maxsize=8_192)
def is_negated(text: str) -> bool:
    """Whether there is a word of denial in it."""
    return _NEGATED.search(text) is not None


def is_denial(text: str) -> bool:
    """Whether a clause denies, all in all: two words of denial undo each other."""
    return len(_NEGATED.findall(_ANSWERED.sub(" ", text))) % 2 == 1
