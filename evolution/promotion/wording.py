"""The words of a proposal: a sentence of which nobody can tell whose it was."""

import re
from collections.abc import Set as AbstractSet

from brain.safety.sanitizer import sanitize_text
from evolution.promotion.grouping import MemoryGroup
from language.agreement import content_tokens
from language.anonymity import has_identifier, tells_of_somebody
from language.detection import language_of
from language.generalizing import generalize, names_speaker
from language.tables import is_spaced, words_of_all

SAID_BY = 2
"""How many people have to use a word for it to be in a proposal: nobody is known by what others say as well."""
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")


def word_proposal(group: MemoryGroup) -> str:
    """The most central sentence that can be shown without its speaker; empty where none can."""
    return next((said for each in group.memories if (said := _anonymous(each.content, group))), "")


def is_anonymous(said: str) -> bool:
    """Whether a sentence tells of nobody, identifies nothing and steers nothing; an empty one says nothing."""
    if not said or names_speaker(said) or tells_of_somebody(said) or has_identifier(said):
        return False
    return sanitize_text(said).verdict == "pass"


def tells_of_one(said: str, group: MemoryGroup) -> bool:
    """Whether a sentence of somebody else's says a word that exactly one of these people used."""
    used = [(each.user_id, frozenset(_words_of(each.content))) for each in group.memories]
    return any(len({who for who, theirs in used if word in theirs}) == 1 for word in _words_of(said))


def _anonymous(sentence: str, group: MemoryGroup) -> str:
    said = generalize(sentence)
    if has_identifier(sentence) or not is_anonymous(said) or not is_shared(sentence, group):
        return ""
    return said


def is_shared(sentence: str, group: MemoryGroup) -> bool:
    """Whether several people use every word of a sentence that says anything."""
    others = [(each.user_id, frozenset(_words_of(each.content))) for each in group.memories]
    words = frozenset[str]().union(*(said for _, said in others))
    shared = {word for word in words if len({who for who, said in others if word in said}) >= SAID_BY}
    if is_spaced(language_of(sentence)):
        return shared.issuperset(_words_of(sentence))
    return all(_is_covered(run, shared) for run in _HAN_RUN.findall(sentence))


def _words_of(sentence: str) -> list[str]:
    """Stems in one alphabet, pairs of characters in another."""
    runs = _HAN_RUN.findall(sentence)
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    return [*pairs, *content_tokens(_HAN_RUN.sub(" ", sentence))]


def _is_covered(run: str, shared: AbstractSet[str]) -> bool:
    """Whether each character of a run that says anything stands in a pair of characters that several people use."""
    light = words_of_all("agreement.light")
    return all(
        run[at] in light or run[max(0, at - 1) : at + 1] in shared or run[at : at + 2] in shared
        for at in range(len(run))
    )
