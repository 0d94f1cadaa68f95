"""What a doctor, a test or somebody close tells a person about their health: an illness, an allergy, what not to take.

It is reported speech, and yet it holds: what keeps somebody safe is kept whoever found it.
"""

from functools import lru_cache

from language.detection import language_of
from language.likeness import is_figure_of_speech
from language.readers import read_value
from language.tables import Patterns, patterns_of


@lru_cache(maxsize=8_192)
def tells_finding(sentence: str) -> bool:
    """Whether a sentence reports what was found about the health of its speaker.

    What is denied, supposed, asked, long over or a joke is none, nor is what concerns anybody else.
    """
    words = patterns_of("findings", language_of(sentence))
    found = words.found.search(sentence)
    return found is not None and _holds(sentence, sentence[: found.end()], words)


@lru_cache(maxsize=8_192)
def tells_suspicion(sentence: str) -> bool:
    """Whether a sentence reports what somebody who knows suspects of its speaker's health."""
    words = patterns_of("findings", language_of(sentence))
    found = words.suspected.search(sentence)
    return found is not None and _holds(sentence, sentence[: found.start()], words)


def _holds(sentence: str, before: str, words: Patterns) -> bool:
    """Whether nothing makes nothing of it, in the sentence or in the words before it."""
    if words.unsettled.search(sentence) or words.supposed.search(before):
        return False
    value = read_value(sentence)
    return value is None or value.predicate != "allergic_to" or not is_figure_of_speech(value.text)


def is_hearsay(sentence: str) -> bool:
    """Whether somebody only asks for an illness of the speaker, or people suppose it."""
    return patterns_of("findings", language_of(sentence)).hearsay.search(sentence) is not None
