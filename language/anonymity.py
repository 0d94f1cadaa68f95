"""Whether a sentence may be shown to those who do not know whose it was. In doubt it may not.

What is looked for: other people, one's own life, what is confidential, names, numbers and identifiers of any kind.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from language.detection import language_of
from language.people import SPEAKER, find_person
from language.predicates import relations_in
from language.rights import is_rights_claim
from language.secrets import has_secret
from language.tables import pattern_of_all, patterns_of

MAX_CHARACTERS = 240
"""Of one sentence: who tells more tells a story."""
_MAX_DIGITS = 2
"""Digits of a number that identifies nothing, such as a time of day or a share."""
_ACRONYM_LETTERS = 4
_NUMBER = re.compile(r"\d(?:[\s().,:/-]?\d)*")
_TIME = re.compile(r"(?<!\d)(?:[01]?\d|2[0-3])[:：.][0-5]\d(?!\d)")
_REFERENCE = re.compile(
    r"[@#_<>{}\\|=~^*$]|://|\bwww\.|\w[./]\w{2,}|[A-Za-z]+\d|\d+(?!(?:am|pm|st|nd|rd|th|s|m|cm|mm|kg|g)\b)[A-Za-z]|(?:[A-Za-z0-9]+-){2,}"
)
_QUOTED = re.compile(r"[\"“”「」『』《》]|(?<!\w)['‘]\w")
_CAPITAL = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*")
_SENTENCE_END = re.compile(r"[.!?。！？]\s*\S")


@lru_cache(maxsize=8_192)
def tells_of_somebody(sentence: str) -> bool:
    """Whether a sentence is about another person, about its speaker's own life, or was told in confidence."""
    words, privacy = patterns_of("anonymity", language_of(sentence)), patterns_of("privacy", language_of(sentence))
    return (
        find_person(sentence) != SPEAKER
        or bool(relations_in(sentence.casefold()))
        or is_rights_claim(sentence)
        or any(
            each.search(sentence) is not None
            for each in (words.somebody, words.begins_with_name, words.own_life, privacy.private, privacy.confided)
        )
    )


def speaks_of_oneself(sentence: str) -> bool:
    """Whether its speaker speaks of themselves alone: what "we" do may be what an organisation does."""
    return pattern_of_all("anonymity.oneself").search(sentence) is not None


@lru_cache(maxsize=8_192)
def has_identifier(sentence: str) -> bool:
    """Whether a sentence names or numbers anybody or anything, tells a secret, or is too long to be looked through."""
    return len(sentence) > MAX_CHARACTERS or any(_identifiers(sentence))


def _identifiers(sentence: str) -> Iterator[bool]:
    for key in ("confidential", "spelled_digits", "address"):
        yield pattern_of_all(f"anonymity.{key}").search(sentence) is not None
    yield has_secret(sentence)
    yield any(each.search(sentence) is not None for each in (_REFERENCE, _QUOTED, _SENTENCE_END))
    yield any(len(re.sub(r"\D", "", each)) > _MAX_DIGITS for each in _NUMBER.findall(_TIME.sub(" ", sentence)))
    yield any(map(_may_be_name, _CAPITAL.finditer(sentence)))


def _may_be_name(word: re.Match[str]) -> bool:
    """A capital letter that no beginning of a sentence explains; short ones in capitals alone are acronyms."""
    if word.start() == 0 or pattern_of_all("anonymity.no_name").fullmatch(word[0]):
        return False
    return not (word[0].isupper() and len(word[0]) <= _ACRONYM_LETTERS)
