"""What a person states in a turn, found by rules alone: precise first, Chinese and English."""

from language.predicates import fold_predicate, holds_one, is_named, object_key, same_subject, slot_of
from memory.rules.assertions import USER, Assertion, Correction, SpokenTurn
from memory.rules.corrections import is_correction
from memory.rules.extract import extract

__all__ = [
    "USER",
    "Assertion",
    "Correction",
    "SpokenTurn",
    "extract",
    "fold_predicate",
    "holds_one",
    "is_correction",
    "is_named",
    "object_key",
    "same_subject",
    "slot_of",
]
