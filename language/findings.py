"""What a doctor, a test or somebody close tells a person about their health: an illness, an allergy, what not to take.

It is reported speech, and yet it holds: what keeps somebody safe is kept whoever found it.
"""

from functools import lru_cache
from typing import Literal

from language.allergies import is_only_said
from language.detection import language_of
from language.people import SPEAKER, find_person, is_first_person
from language.readers import read_value
from language.reported import asserted_words, is_unreal
from language.tables import patterns_of


def tells_finding(sentence: str) -> bool:
    """Whether a sentence reports what was found about the health of its speaker.

    What is denied, supposed, asked, long over or a joke is none, nor is what concerns anybody else.
    """
    return _reports(sentence, "found") and not is_only_said(sentence)


def tells_suspicion(sentence: str) -> bool:
    """Whether a sentence reports what somebody who knows suspects of its speaker's health."""
    return _reports(sentence, "suspected") and not is_only_said(sentence)


def tells_illness(sentence: str) -> bool:
    """Whether a sentence says in so many words what its speaker, or somebody close, has."""
    return (_reports(sentence, "told") or _tells_allergy(sentence)) and not is_only_said(sentence)


@lru_cache(maxsize=8_192)
def _tells_allergy(sentence: str) -> bool:
    """Whether its speaker says, themself and in earnest, what somebody is allergic to."""
    words = patterns_of("findings", language_of(sentence))
    if is_unreal(sentence) or any(each.search(sentence) for each in (words.unsettled, words.hearsay)):
        return False
    if find_person(sentence) == SPEAKER and not is_first_person(sentence):
        return False
    value = read_value(asserted_words(sentence))
    return value is not None and value.predicate == "allergic_to"


@lru_cache(maxsize=8_192)
def _reports(sentence: str, what: Literal["found", "told", "suspected"]) -> bool:
    """Whether the words for it stand there, and none that take it back. What is suspected may itself be a perhaps."""
    words = patterns_of("findings", language_of(sentence))
    found = getattr(words, what).search(sentence)
    if found is None or words.unsettled.search(sentence):
        return False
    return words.supposed.search(sentence[: found.start() if what == "suspected" else found.end()]) is None


def is_hearsay(sentence: str) -> bool:
    """Whether somebody only asks for an illness of the speaker, or people suppose it."""
    return patterns_of("findings", language_of(sentence)).hearsay.search(sentence) is not None
