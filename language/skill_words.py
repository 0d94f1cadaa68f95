"""What people say who need a skill, and who need none; and acts in the world that only a skill of its own could do."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from language.tables import languages, lines, pattern_of_all
from language.terms import fold, word_terms

SHARED = 0.5
"""Share of a sentence's words that a request has to have in common with it, where only words are compared."""
MAX_PIECES, PIECE_CHARACTERS = 8, 300
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def sentences_of(key: str) -> tuple[str, ...]:
    """What people say who need a skill, in every language."""
    return tuple(line for language in languages() for line in lines(key, language))


@cache
def background_sentences() -> tuple[str, ...]:
    """What people say who need no skill."""
    return sentences_of("skills.nothing")


def has_cue(key: str, text: str) -> bool:
    """Whether a text has a word that belongs to a skill."""
    return pattern_of_all(key).search(text) is not None


def asks_for_act_in_world(text: str) -> bool:
    """Whether a message asks for something to be done outside of the conversation: booked, sent, paid, switched on."""
    return pattern_of_all("skills.act_in_world").search(text) is not None


def shares_words(text: str, sentences: Sequence[str]) -> bool:
    """Whether a text has at least half of the words of one of the sentences."""
    told = _terms_of(text)
    return any(len(told & terms) >= SHARED * len(terms) for terms in map(_terms_of, sentences))


def pieces_of(text: str) -> tuple[str, ...]:
    """A message and its sentences, for a wish may stand among other things: of a long one the beginning and the end."""
    found = [piece.strip()[:PIECE_CHARACTERS] for piece in _SENTENCE.findall(text) if len(piece.strip()) > 1]
    half = MAX_PIECES // 2
    chosen = found if len(found) <= MAX_PIECES else [*found[:half], *found[-half:]]
    return tuple(dict.fromkeys((text[:PIECE_CHARACTERS], *chosen)))


@lru_cache(maxsize=1_024)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(word_terms(fold(text)))
