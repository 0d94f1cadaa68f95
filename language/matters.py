"""Words that name one matter, so that somebody who asks for it by one means what was told by another."""

from functools import cache, lru_cache

from language import tables
from language.kinds import TOPICS, Topic
from language.terms import word_terms


@lru_cache(maxsize=1_024)
def aliases(term: str) -> frozenset[str]:
    """Terms by which memory may say what is asked for by this one: an address is where somebody lives.

    Not the other way round where the term is the wider one: a pet may be a dog, a dog is not any pet.
    """
    lines = ((wide, narrow) for _, wide, narrow in _matters() if term in wide)
    return frozenset(other for wide, narrow in lines for other in wide | narrow) - {term}


@lru_cache(maxsize=1_024)
def topics_of_term(term: str) -> frozenset[Topic]:
    """The topics that a term may stand for as a whole: a job is whatever somebody works as."""
    return frozenset(topic for topic, wide, _ in _matters() if term in wide)


@cache
def _matters() -> tuple[tuple[Topic, frozenset[str], frozenset[str]], ...]:
    return tuple(
        (topic, _line_terms(wide), _line_terms(narrow))
        for language in tables.languages()
        for topic in TOPICS
        for wide, _, narrow in (line.partition(":") for line in tables.lines(f"matters.topics.{topic}", language))
    )


def _line_terms(words: str) -> frozenset[str]:
    """Ideographs as the words that they are, other words as the analyser cuts them."""
    return frozenset(term for word in words.split() for term in ([word] if not word.isascii() else word_terms(word)))
