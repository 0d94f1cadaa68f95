"""Does a sentence ask that nothing of the talk, or of a matter, be noted from now on?"""

import re

from language.detection import language_of
from language.forgetting import is_played, outside_quotes
from language.tables import Patterns, patterns_of


def leaves_record(sentence: str) -> bool:
    """Whether nothing of the talk is to be noted any more."""
    words = _words(sentence)
    return _is_said(words.leaves, sentence, words)


def bans_matter(sentence: str) -> bool:
    """Whether nothing of one matter is ever to be noted."""
    words = _words(sentence)
    return _is_said(words.bans_matter, sentence, words)


def speaks_of_notes(sentence: str) -> bool:
    """Whether it has a word for notes, for memory or for a secret, as whatever asks for no note has."""
    return _words(sentence).speaks_of_notes.search(sentence) is not None


def _is_said(asks: re.Pattern[str], sentence: str, words: Patterns) -> bool:
    """Whether it is said to Brain, in earnest: neither quoted nor told of somebody else."""
    said = outside_quotes(sentence)
    return bool(asks.search(said)) and not words.reports.search(said) and not is_played(said)


def _words(sentence: str) -> Patterns:
    return patterns_of("off_record", language_of(sentence))
