"""Whether sentences of different people say the same, or the contrary. Meaning proposes, and words decide.

Sentences about one matter that differ in the one word that counts ("we open early", "we open late") lie as close
together as those that mean the same; so both have to say the same words, none of them a contrary.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from language.detection import language_of
from language.exclusion import find_exclusion
from language.similarity import is_denial
from language.tables import pattern_list, words_of_all
from language.terms import fold, word_terms
from language.values import find_values

SAME_MEANING, SAME_WORDS = 0.65, 0.5
"""From which cosine of meaning, and which share of the words of the shorter one, two sentences say the same."""
ONE_MATTER, MATTER_WORDS = 0.55, 0.34
"""The same for being about one matter, whatever each says of it."""
_FRAME = 0.5
"""Which share of the longer of two sentences has to be alike for a word in another's place to be another value."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+(?:['’-][^\W_]+)*")


def says_the_same(one: str, other: str, cosine: float) -> bool:
    """Whether two sentences say the same; ``cosine`` is how close their meanings lie."""
    if cosine < SAME_MEANING or word_share(one, other) < SAME_WORDS:
        return False
    return not differs(one, other)


def opposes(one: str, other: str, cosine: float) -> bool:
    """Whether two sentences are about one matter and do not agree on it."""
    return cosine >= ONE_MATTER and word_share(one, other) >= MATTER_WORDS and differs(one, other)


@lru_cache(maxsize=16_384)
def differs(one: str, other: str) -> bool:
    """Whether one denies what the other says, gives it another value, or says a contrary."""
    if language_of(one) != language_of(other) or is_denial(one) != is_denial(other):
        return True
    if sorted(_value_keys(one)) != sorted(_value_keys(other)):
        return True
    if any(_contrary(one, other)):
        return True
    if find_exclusion(one, other) is not None or find_exclusion(other, one) is not None:
        return True
    return _has_other_word(one, other)


@lru_cache(maxsize=16_384)
def word_share(one: str, other: str) -> float:
    """Which share of the content words of the shorter sentence the other one has as well, 0 to 1."""
    first, second = frozenset(content_tokens(one)), frozenset(content_tokens(other))
    least = min(len(first), len(second))
    return len(first & second) / least if least else 0.0


def _has_other_word(one: str, other: str) -> bool:
    """Whether all is alike but one word ("I prefer tea", "I prefer coffee")."""
    first, second = content_tokens(one), content_tokens(other)
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    alike = sum(end - start for act, start, end, _, _ in blocks if act == "equal")
    if not alike or alike < _FRAME * max(len(first), len(second)):
        return False
    replaced = [(first[a:b], second[c:d]) for act, a, b, c, d in blocks if act == "replace"]
    return any(set(old).isdisjoint(second) and set(new).isdisjoint(first) for old, new in replaced)


def content_tokens(sentence: str) -> list[str]:
    """Stems and characters in their order, without those that say how often, how much and what one thinks of it."""
    light = words_of_all("agreement.light")
    words = (each[0] for each in _WORD.finditer(fold(sentence)))
    return [stem for each in words if each not in light for stem in word_terms(each)[:1]]


def _value_keys(sentence: str) -> Iterator[tuple[str, str]]:
    return ((each.kind, each.key) for each in find_values(sentence) if each.kind != "name")


def _contrary(one: str, other: str) -> Iterator[bool]:
    for pattern in pattern_list("agreement.contraries", language_of(one)):
        first, second = _sides(pattern, one), _sides(pattern, other)
        yield bool(first and second and first.isdisjoint(second))


def _sides(pattern: re.Pattern[str], sentence: str) -> frozenset[str]:
    return frozenset(each.lastgroup for each in pattern.finditer(sentence) if each.lastgroup)
