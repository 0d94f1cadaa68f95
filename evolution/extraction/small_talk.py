"""Whether a person states anything in these turns: a cheap test that saves a model's time on small talk."""

import re
from collections.abc import Sequence

from evolution.courtesies import compile_courtesies
from evolution.state import TurnRecord
from language.own_words import HIDDEN, own_words
from language.tables import pattern_of_all

_SENTENCE = re.compile(r"[^.!?。！？\n；;~～…]+[?？]?")
_POLITE = compile_courtesies("small_talk")


def states_something(said: Sequence[TurnRecord]) -> bool:
    """Whether any person's turn holds more than greetings, thanks and questions that tell nothing of the asker.

    When in doubt it says yes: a model then finds nothing, at some cost, whereas a missed statement is lost.
    """
    return any(turn["role"] == "user" and _states(turn["text"]) for turn in said)


def _states(text: str) -> bool:
    own = own_words(text)
    if set(own) <= {HIDDEN}:
        own = text
    sentences = (found[0].strip() for found in _SENTENCE.finditer(own.replace(HIDDEN, " ")))
    return any(not _is_empty(sentence) for sentence in sentences if sentence)


def _is_empty(sentence: str) -> bool:
    return bool(_POLITE.fullmatch(sentence)) or (
        _asks(sentence) and not pattern_of_all("courtesies.of_myself").search(sentence)
    )


def _asks(sentence: str) -> bool:
    asked = sentence.endswith(("?", "？"))
    return bool(
        asked
        or pattern_of_all("courtesies.question").match(sentence)
        or pattern_of_all("courtesies.asking").search(sentence)
    )
