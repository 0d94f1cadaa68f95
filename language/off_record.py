"""Does a sentence ask that nothing of the talk be noted from now on?"""

from language.detection import language_of
from language.forgetting import is_played, outside_quotes
from language.tables import patterns_of


def leaves_record(sentence: str) -> bool:
    """Whether it is said to Brain, in earnest: neither quoted nor told of somebody else."""
    words, said = patterns_of("off_record", language_of(sentence)), outside_quotes(sentence)
    return bool(words.leaves.search(said)) and not words.reports.search(said) and not is_played(said)
