"""Whether two texts say the same. Words only, no model."""

from functools import lru_cache

from language.tables import pattern_of_all
from language.terms import fold, word_terms


@lru_cache(maxsize=8_192)
def content_terms(text: str) -> frozenset[str]:
    """What a text says, as terms, however it names the person."""
    return frozenset(word_terms(fold(pattern_of_all("similarity.naming").sub(" ", text))))


def is_contained_in(text: str, other: str) -> bool:
    """Whether everything that a text says stands in the other as well, and neither denies it."""
    terms = content_terms(text)
    return bool(terms) and terms <= content_terms(other) and is_negated(text) == is_negated(other)


@lru_cache(maxsize=8_192)
def is_negated(text: str) -> bool:
    """Whether there is a word of denial in it."""
    return pattern_of_all("similarity.negated").search(text) is not None


def is_denial(text: str) -> bool:
    """Whether a clause denies, all in all: two words of denial undo each other."""
    return (
        len(pattern_of_all("similarity.negated").findall(pattern_of_all("similarity.answered").sub(" ", text))) % 2 == 1
    )
