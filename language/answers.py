"""Bare answers: the question that was put right before says what they are about."""

import re

from language.clauses import words_of
from language.detection import language_of
from language.own_words import HIDDEN, own_words
from language.people import find_person
from language.secrets import has_secret
from language.sentences import Sentence, split_sentences
from language.tables import is_spaced

MOST_WORDS, MOST_CHARACTERS = 8, 12
"""Words of an English answer and characters of a Chinese one from which it says enough by itself."""
QUESTION_CHARACTERS = 120
"""Characters of a question that is worth quoting."""
_WORD = re.compile(r"[\w'’]+")
_THING = re.compile(r"\b(?:no|any|some|every)thing\b", re.IGNORECASE)
_ADDRESSED = (
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
    (re.compile("[你您]"), "我"),
)


def question_answered(answer: str, before: str) -> Sentence | None:
    """The question at the end of ``before`` that says what ``answer`` is about; None where it speaks for itself."""
    asked = next(reversed(split_sentences(before)), None)
    if asked is None or not asked.text.endswith(("?", "？")) or len(asked.text) > QUESTION_CHARACTERS:
        return None
    is_plain = HIDDEN not in own_words(asked.text) and not has_secret(asked.text)
    return asked if is_plain and _is_bare(answer) else None


def person_asked_about(question: str) -> str:
    """Whom a question to the person is about, as if they spoke themselves: "your sister" is "my sister"."""
    for pattern, own in _ADDRESSED:
        question = pattern.sub(own, question)
    return find_person(question)


def _is_bare(answer: str) -> bool:
    """Whether it is short and has no verb."""
    language = language_of(answer)
    if words_of(language).verb.search(_THING.sub("", answer)):
        return False
    return len(_WORD.findall(answer)) <= MOST_WORDS if is_spaced(language) else len(answer) <= MOST_CHARACTERS
