"""Does somebody tell what they cannot bear: an illness, an allergy, how they must not be called?"""

from language.tables import pattern_of_all


def states_constraint(text: str) -> bool:
    """Whether a text tells a limit of its speaker, which no rule of anybody else may set aside."""
    return pattern_of_all("constraints.limit").search(text) is not None
