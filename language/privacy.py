"""Is something another person's own affair: an illness, a secret? And does its speaker say why it matters to them?"""

from language.detection import language_of
from language.people import SPEAKER
from language.tables import patterns_of


def is_confided(text: str) -> bool:
    """Whether words of it say that it is told in confidence."""
    return patterns_of("privacy", language_of(text)).confided.search(text) is not None


def is_private_to_another(sentence: str, person: str, turn: str) -> bool:
    """Whether a sentence tells an illness or a secret of ``person`` that is none of the speaker's life.

    What befalls one's own family and animals is part of one's life, unless it was told in confidence. Anybody else's is
    theirs, unless the ``turn`` says why it matters to its speaker.
    """
    if person == SPEAKER:
        return False
    words = patterns_of("privacy", language_of(turn))
    confided = is_confided(turn)
    if not words.private.search(sentence) and not confided:
        return False
    if words.near.search(person) and not confided:
        return False
    return words.matters.search(turn) is None
