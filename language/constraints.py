"""Does somebody tell what they cannot bear: an illness, an allergy, how they must not be called?"""

from language.detection import language_of
from language.tables import patterns_of


def states_constraint(text: str) -> bool:
    """Whether a text tells a limit of its speaker, which no rule of anybody else may set aside."""
    return patterns_of("constraints", language_of(text)).limit.search(text) is not None
