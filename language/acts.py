"""What a message does: asks, greets, thanks, wants a summary. The one place that answers "is it a question?"."""

import re
from functools import lru_cache
from typing import Literal, get_args

from language.classifier import words_classifier
from language.detection import language_of
from language.kinds import KEPT
from language.people import names_relative
from language.question_focus import read_focus
from language.sentences import split_sentences
from language.tables import Patterns, patterns_of

Courtesy = Literal["help", "thanks", "wellbeing", "greeting", "farewell", "reaction"]
Act = Literal["about_user", "summary", Courtesy, "question", "statement"]
COURTESIES: tuple[Courtesy, ...] = get_args(Courtesy)


MIN_QUESTION_PROBABILITY = 0.6
"""How probable the classifier has to find a question that no pattern knows."""
TELLS = 0.5
"""How probably a memory would be made of a sentence that asks and tells at once ("Rex died, remember?")."""
MAX_CHAT_CHARACTERS = 60
"""Characters up to which a message may be nothing but a courtesy."""
MIN_CLAUSE_CHARACTERS = 4
"""Characters from which a clause says something of its own."""
MAX_SENTENCES = 40
"""Sentences of a message that are looked at."""


_CLAUSE = re.compile(r"[,，;；:：]\s*")


def act_of(text: str) -> Act:
    """What a person's message does, first of all."""
    words = _patterns_of(text)
    if words.about_user.search(text) or lists_memories(text):
        return "about_user"
    if words.summary.search(text):
        return "summary"
    if courtesy := _courtesy(text, words):
        return courtesy
    return (
        "question"
        if any(is_question_sentence(each.text) for each in split_sentences(text)[:MAX_SENTENCES])
        else "statement"
    )


def is_question_sentence(sentence: str) -> bool:
    """Whether one sentence asks something, with or without its mark."""
    if sentence.rstrip(" \"'”’)）").endswith(("?", "？")):
        return True
    words = _patterns_of(sentence)
    if words.not_asks.search(sentence):
        return False
    if lists_memories(sentence):
        return True
    return words.asks.search(sentence) is not None or _question_scores(sentence)[0] >= MIN_QUESTION_PROBABILITY


@lru_cache(maxsize=4_096)
def is_only_question(text: str) -> bool:
    """Whether a message does nothing but ask: no sentence of it tells anything."""
    sentences = split_sentences(text)[:MAX_SENTENCES]
    return bool(sentences) and all(
        is_question_sentence(each.text) and not _has_statement(each.text) for each in sentences
    )


def lists_memories(text: str) -> bool:
    """Whether it asks for all that is remembered, as a command and with nothing beside it."""
    return _patterns_of(text).lists_memories.search(text) is not None


def is_courtesy(text: str) -> bool:
    """Whether a message is nothing but a greeting, thanks or the like."""
    return _courtesy(text, _patterns_of(text)) is not None


def asks_about_replies(text: str) -> bool:
    """Whether a question is about what was answered or asked in earlier conversations ("what did you recommend")."""
    return _patterns_of(text).about_replies.search(text) is not None


def asks_for_own_taste(text: str) -> bool:
    """Whether a question is what the one who asks likes or not, and names nobody else."""
    names_others = names_relative(text) or bool(read_focus(text).names)
    return not names_others and _patterns_of(text).own_taste.search(text) is not None


def mentions_self(text: str) -> bool:
    """Whether it says I, my or we."""
    return _patterns_of(text).first_person.search(text) is not None


def _courtesy(text: str, words: Patterns) -> Courtesy | None:
    if len(text) > MAX_CHAT_CHARACTERS:
        return None
    return next((each for each in COURTESIES if getattr(words, each).fullmatch(text)), None)


def _has_statement(sentence: str) -> bool:
    """Whether a question tells something as well: before it ("Rex died, remember?"), or as the classifier finds."""
    first, *others = [clause for clause in _CLAUSE.split(sentence) if len(clause) >= MIN_CLAUSE_CHARACTERS] or [""]
    return (bool(others) and not _patterns_of(sentence).asks.search(first)) or _question_scores(sentence)[1] >= TELLS


@lru_cache(maxsize=8_192)
def _question_scores(sentence: str) -> tuple[float, float]:
    """How probably it asks, and how probably it is worth a memory."""
    judged = words_classifier().classify(sentence).kinds
    return judged["question"], sum(judged[each] for each in KEPT)


def _patterns_of(text: str) -> Patterns:
    return patterns_of("acts", language_of(text))
