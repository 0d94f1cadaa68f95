"""What a question is after: whose life it is about, or anybody's knowledge, and the words that an answer would hold."""

import re
from dataclasses import dataclass
from functools import lru_cache

from language.detection import language_of
from language.tables import pattern_of_all, patterns_of, words_of_all
from language.terms import fold, word_terms

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_NAME = re.compile(r"(?<=[\w,;'’“(] )[A-Z][\w-]+|^[A-Z][\w-]+(?=['’]s\b)")
"""A capitalised word that does not only begin the question."""

_NO_NAME = re.compile(r"[A-Z\d]+|Wh(?:at|o|en|ere|y|ich|ose)|How")
"""An abbreviation, or the beginning of "what's"."""


@dataclass(frozen=True)
class QuestionFocus:
    """``words`` are the distinct terms that name something, as the analyser makes them; ``names`` capitalised ones.

    ``is_personal`` says that the question speaks of the one who asks or of what the assistant told them, ``is_general``
    that it is put like a task or a question about the world and speaks of neither.
    """

    words: tuple[str, ...]
    names: tuple[str, ...]
    is_personal: bool
    asks_assistant: bool
    is_general: bool


@lru_cache(maxsize=64)
def read_focus(text: str) -> QuestionFocus:
    """Read a question in English or Chinese."""
    words = patterns_of("questions", language_of(text))
    told = bool(words.told.search(text))
    # "Give me a synonym" speaks of nobody.
    personal = told or bool(words.personal.search(words.for_me.sub(" ", text)))
    task = bool(words.general.search(text))
    names = tuple(dict.fromkeys(name for name in _NAME.findall(text) if not _NO_NAME.fullmatch(name)))
    return QuestionFocus(naming_words(text), names, personal, told, task and not personal)


def naming_terms(folded: str) -> frozenset[str]:
    """As ``naming_words`` of a folded text, with the single characters of the pairs: all terms that are not light."""
    parts = (part for run in _HAN.findall(folded) for part in _han_parts(run))
    return frozenset(naming_words(folded)).union(*parts)


def naming_words(text: str) -> tuple[str, ...]:
    """Stems of an alphabet without light words; Chinese in pairs of characters between words that only join or ask."""
    folded = fold(text)
    pairs = [pair for run in _HAN.findall(folded) for part in _han_parts(run) for pair in _pairs(part)]
    words = [word for word in word_terms(_HAN.sub(" ", folded)) if word not in _empty_terms()]
    return tuple(dict.fromkeys([*pairs, *words]))


@lru_cache(maxsize=1)
def _empty_terms() -> frozenset[str]:
    """Words that name nothing by which a memory could be known."""
    return frozenset(term for word in words_of_all("questions.empty") for term in word_terms(word))


def _han_parts(run: str) -> list[str]:
    """What stands between words that only join or ask."""
    return pattern_of_all("questions.empty").split(run)


def _pairs(part: str) -> list[str]:
    return [part] if len(part) == 1 else [part[at : at + 2] for at in range(len(part) - 1)]
