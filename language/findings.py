"""What a doctor, a test or somebody close tells a person about their health: an illness, an allergy, what not to take.

It is reported speech, and yet it holds: what keeps somebody safe is kept whoever found it.
"""

from functools import lru_cache

from language.detection import language_of
from language.tables import patterns_of


@lru_cache(maxsize=8_192)
def tells_finding(sentence: str) -> bool:
    """Whether a sentence reports what was found about the health of its speaker.

    What is denied, supposed, asked, long over or a joke is none, nor is what concerns anybody else.
    """
    words = patterns_of("findings", language_of(sentence))
    found = words.found.search(sentence)
    if found is None or words.unsettled.search(sentence):
        return False
    return words.supposed.search(sentence[: found.end()]) is None


def is_hearsay(sentence: str) -> bool:
    """Whether somebody only asks for an illness of the speaker, or people suppose it."""
    return patterns_of("findings", language_of(sentence)).hearsay.search(sentence) is not None
