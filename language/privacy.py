"""Is something another person's own affair: an illness, a secret? And does its speaker say why it matters to them?"""

from language.detection import language_of
from language.people import SPEAKER
from language.tables import patterns_of


def is_private_to_another(sentence: str, person: str, turn: str) -> bool:
    """Whether a sentence tells an illness or a secret of ``person`` that is none of the speaker's life.

    What befalls one's own family and animals is part of one's life, unless it was told in confidence. Anybody else's is
    theirs, unless the ``turn`` says why it matters to its speaker.
    """
    if person == SPEAKER:
        return False
    words = patterns_of("privacy", language_of(turn))
    is_confided = words.confided.search(turn) is not None
    if not words.private.search(sentence) and not is_confided:
        return False
    if words.near.search(person) and not is_confided:
        return False
    return words.matters.search(turn) is None
