"""What a message does: asks, greets, thanks, wants a summary. The one place that answers "is it a question?"."""

import re
from functools import lru_cache
from typing import Literal, Protocol, get_args

from language.classifier import classifier
from language.detection import language_of
from language.en import acts as english
from language.kinds import KEPT
from language.sentences import split
from language.zh import acts as chinese

Courtesy = Literal["help", "thanks", "wellbeing", "greeting", "farewell", "reaction"]
Act = Literal["about_user", "summary", Courtesy, "question", "statement"]
COURTESIES: tuple[Courtesy, ...] = get_args(Courtesy)


class _Tongue(Protocol):
    """What a language's own file holds."""

    ASKS: re.Pattern[str]
    NOT_ASKS: re.Pattern[str]
    ABOUT_USER: re.Pattern[str]
    SUMMARY: re.Pattern[str]
    ABOUT_REPLIES: re.Pattern[str]
    FIRST_PERSON: re.Pattern[str]
    COURTESIES: dict[str, re.Pattern[str]]


SURE = 0.6
"""How probable the classifier has to find a question that no pattern knows."""
TELLS = 0.5
"""How probably a memory would be made of a sentence that asks and tells at once ("Rex died, remember?")."""
LONGEST_CHAT = 60
"""Characters up to which a message may be nothing but a courtesy."""
LONG_CLAUSE = 4
"""Characters from which a clause says something of its own."""
MOST_READ = 40
"""Sentences of a message that are looked at."""


_CLAUSE = re.compile(r"[,，;；:：]\s*")


def act_of(text: str) -> Act:
    """What a person's message does, first of all."""
    tongue = _tongue(text)
    if tongue.ABOUT_USER.search(text):
        return "about_user"
    if tongue.SUMMARY.search(text):
        return "summary"
    if courtesy := _courtesy(text, tongue):
        return courtesy
    return "question" if any(asks(each.text) for each in split(text)[:MOST_READ]) else "statement"


def asks(sentence: str) -> bool:
    """Whether one sentence asks something, with or without its mark."""
    if sentence.rstrip(" \"'”’)）").endswith(("?", "？")):
        return True
    tongue = _tongue(sentence)
    if tongue.NOT_ASKS.search(sentence):
        return False
    return tongue.ASKS.search(sentence) is not None or _judge(sentence)[0] >= SURE


@lru_cache(maxsize=4_096)
def only_asks(text: str) -> bool:
    """Whether a message does nothing but ask: no sentence of it tells anything."""
    sentences = split(text)[:MOST_READ]
    return bool(sentences) and all(asks(each.text) and not _tells(each.text) for each in sentences)


def is_courtesy(text: str) -> bool:
    """Whether a message is nothing but a greeting, thanks or the like."""
    return _courtesy(text, _tongue(text)) is not None


def asks_about_replies(text: str) -> bool:
    """Whether a question is about what was answered or asked in earlier conversations ("what did you recommend")."""
    return _tongue(text).ABOUT_REPLIES.search(text) is not None


def speaks_of_oneself(text: str) -> bool:
    """Whether it says I, my or we."""
    return _tongue(text).FIRST_PERSON.search(text) is not None


def _courtesy(text: str, tongue: _Tongue) -> Courtesy | None:
    if len(text) > LONGEST_CHAT:
        return None
    return next((each for each in COURTESIES if tongue.COURTESIES[each].fullmatch(text)), None)


def _tells(sentence: str) -> bool:
    """Whether a question tells something as well: before it ("Rex died, remember?"), or as the classifier finds."""
    first, *others = [clause for clause in _CLAUSE.split(sentence) if len(clause) >= LONG_CLAUSE] or [""]
    return (bool(others) and not _tongue(sentence).ASKS.search(first)) or _judge(sentence)[1] >= TELLS


@lru_cache(maxsize=8_192)
def _judge(sentence: str) -> tuple[float, float]:
    """How probably it asks, and how probably it is worth a memory."""
    judged = classifier().judge(sentence).kinds
    return judged["question"], sum(judged[each] for each in KEPT)


def _tongue(text: str) -> _Tongue:
    return chinese if language_of(text) == "zh" else english
