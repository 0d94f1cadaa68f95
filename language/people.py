"""Whom a sentence is about: the speaker, one of their people by relation, or somebody by name."""

import re
import unicodedata

from language.detection import language_of
from language.en import people as english
from language.predicates import fold_relation
from language.zh import people as chinese

SPEAKER = "user"
"""The person of sentences about their speaker."""
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b|\bI['’]|[我咱俺]", re.IGNORECASE)
_WORD = re.compile(r"[\w-]+")


def find_person(sentence: str) -> str:
    """Whom a sentence is about, in its own words ("sister Niamh", 妹妹), ``user`` for its speaker.

    Empty where a pronoun points back ("she is from Braga").
    """
    found = (chinese if language_of(sentence) == "zh" else english).subject_of(sentence)
    return SPEAKER if found is None else found


def is_first_person(sentence: str) -> bool:
    """Whether the speaker speaks of themselves or of their own people, in English or Chinese."""
    return bool(_FIRST.search(sentence))


def is_same_person(one: str, other: str) -> bool:
    """Whether two names may mean one person: "sister" is "sister Niamh", "sister Orla" is not; an ex is nobody else."""
    first, second = _parts(one), _parts(other)
    if first == second:
        return True
    shared = first & second
    return bool(shared) and (first <= second or second <= first)


def _parts(person: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", person).casefold()
    return frozenset(fold_relation(word) for word in _WORD.findall(plain))
