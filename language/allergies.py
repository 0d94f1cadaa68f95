"""Whether an allergy that somebody tells of is meant: people call themselves allergic to Mondays."""

import re

from language.assertions import has_several_assertions
from language.categories import is_allergen, is_figure_of_speech
from language.readers import read_value

_JOINTS = re.compile(r"\s*(?:,|，|、|和|跟|与|以及|\b(?:and|or)\b)\s*")


def is_only_said(sentence: str) -> bool:
    """Whether all that a sentence says is an allergy to what nobody is allergic to."""
    value = read_value(sentence)
    if value is None or value.predicate != "allergic_to" or has_several_assertions(sentence):
        return False
    things = [each for each in _JOINTS.split(value.text) if each]
    return all(is_figure_of_speech(each) and not any(map(is_allergen, each.split())) for each in things)
