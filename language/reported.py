"""What of a sentence its speaker says of themself, without what others say or believe of them.

A wish, a dream or a joke says nothing of them either.
"""

from functools import lru_cache

from language.detection import language_of
from language.own_words import HIDDEN, own_words
from language.sentences import split_sentences
from language.tables import patterns_of


@lru_cache(maxsize=8_192)
def asserted_words(text: str) -> str:
    """The text without quoted speech and without clauses about its speaker that somebody else says, thinks or is said
    to (everybody thinks *I live in Rome*), or that the speaker denies having said (I never said *I live in Rome*).
    """
    own = own_words(text)
    said = text if HIDDEN not in own else " ".join(own.replace(HIDDEN, " ").split())
    return _leave_out_reported(said)


def is_unreal(sentence: str) -> bool:
    """Whether it is a wish, a dream, a part in a game or a joke: what it says is not so."""
    return patterns_of("reported", language_of(sentence)).unreal.search(sentence) is not None


def is_only_unreal(text: str) -> bool:
    """Whether every sentence of a message is one: it answers no question about what is so."""
    return all(is_unreal(each.text) for each in split_sentences(text))


def asks_for_unreal(question: str) -> bool:
    """Whether a question is about somebody's wishes, dreams, games or jokes."""
    return patterns_of("reported", language_of(question)).asks_unreal.search(question) is not None


def _leave_out_reported(text: str) -> str:
    words = patterns_of("reported", language_of(text))
    kept, at = "", 0
    if words.closes.search(text) or words.unreal.search(text):
        return ""
    while opening := words.opens.search(text, at):
        resumed = words.resumes.search(text, opening.end())
        kept += text[at : opening.end()]
        at = resumed.start() if resumed else len(text)
    return kept + text[at:]
