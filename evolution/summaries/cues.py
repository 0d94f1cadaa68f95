"""How much a sentence tells: resolutions, numbers, names and times count, courtesies do not. Rules, zh and en."""

import re

from brain.signal_rules import entities
from evolution.courtesies import compile_courtesies
from language.commitments import find_commitment, has_question_mark

_NUMBER = re.compile(r"\d[\d.,:%]*|[一二三四五六七八九十百千万两]+(?=[个次天周月年号点块元万千百人岁公斤])")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_POLITE = compile_courtesies(
    r"noted|(?:i['’]?m\s+)?happy\s+to\s+help|let\s+me\s+know|anything\s+else|today|have\s+a|day",
    r"知道了",
)

_OF_THE_ASSISTANT, _ASKED = 0.5, 0.7
_MOST_NAMES, _MOST_NUMBERS = 3, 2


def is_polite(text: str) -> bool:
    """Whether it is made of greetings, thanks and assents alone."""
    return bool(_POLITE.fullmatch(text))


def sentence_salience(text: str, *, dated: bool, by_person: bool) -> float:
    """From 0.35 for an assistant's plain question to some 8 for a dated decision with names and numbers."""
    names = max(len(_NAME.findall(text)), sum(value.count(",") + 1 for value in entities(text).values()))
    told = 1.0 + min(_MOST_NUMBERS, len(_NUMBER.findall(text))) + min(_MOST_NAMES, names) + (1.0 if dated else 0.0)
    told += 2.5 if find_commitment(text) else 0.0
    return told * (1.0 if by_person else _OF_THE_ASSISTANT) * (_ASKED if has_question_mark(text) else 1.0)
