"""After the reply: was memory used, how did the user take it, and which things were named? Rules by words."""

import re
from typing import Literal

from language.retractions import is_retraction
from language.tables import languages, pattern_list, pattern_of_all, words_of_all
from language.terms import fold, word_terms
from language.times import time_words

Utilization = Literal["keyword_match", "reference_phrase", "none"]
Feedback = Literal["affirm", "deepen", "correct", "silence"]

READ = 4_000
"""Characters of a text that these rules look at."""
_MIN_SHARED_TERMS = 2
_SHARE = 0.5
_MAX_VALUES = 5
_MAX_VALUE_CHARACTERS = 40

_PREFIX = re.compile(r"^\s*\[[^\]\n]{0,200}\]")


def utilization(reply: str, memory_text: str) -> Utilization:
    """Whether a reply drew on one injected memory.

    ``reference_phrase``: the reply says that it remembers, and shares a word with this memory; ``keyword_match``: it
    shares two key words, or half of them when there are few.
    """
    wanted = _key_words(_PREFIX.sub("", memory_text[:READ]))
    shared = wanted & _key_words(reply[:READ])
    if not shared:
        return "none"
    if _words("reference").search(reply[:READ]):
        return "reference_phrase"
    return "keyword_match" if len(shared) >= min(_MIN_SHARED_TERMS, max(1, round(len(wanted) * _SHARE))) else "none"


def _key_words(text: str) -> set[str]:
    return {
        word
        for word in word_terms(fold(text))
        if word not in words_of_all("signals.generic") and not word.startswith("month:")
    }


def feedback(next_user_text: str, reply: str = "") -> Feedback:
    """How the user took the last ``reply``, by their next message.

    Only agreement is ``affirm``. A question that goes on about the reply is ``deepen``; where the reply is not known,
    every question is. A change of subject and plain statements are ``silence``.
    """
    said = next_user_text[:READ].strip()
    if not said or _words("elsewhere").search(said):
        return "silence"
    if _words("deny").search(said) or is_retraction(said):
        return "correct"
    if _is_agreement(said):
        return "affirm"
    asks = bool(_words("goes_on").search(said) or _words("asks").search(said))
    return "deepen" if asks and not is_subject_change(said, reply) else "silence"


def is_subject_change(next_user_text: str, reply: str) -> bool:
    """Whether a message leaves what the reply was about: it says so, or shares no word with it and points back to none.

    False where the reply is not known.
    """
    said = next_user_text[:READ].strip()
    if _words("elsewhere").search(said):
        return True
    if not reply or not said or _words("goes_on").search(said) or _words("points_back").search(said):
        return False
    return not _key_words(said) & _key_words(reply[:READ])


def _is_agreement(said: str) -> bool:
    """Praise that a question follows is a courtesy."""
    if _words("agrees").search(said):
        return True
    return bool(_words("praises").search(said)) and not (_words("asks").search(said) or _words("goes_on").search(said))


def entities(text: str) -> dict[str, str]:
    """Things named in a message, by kind (people, places, products, dates), in order, joined by commas.

    Kinds without any are absent. Dates stay in the words of the message: the log knows when it was said.
    """
    said = text[:READ]
    found = {
        "people": _find_values(said, "people"),
        "places": _find_values(said, "places"),
        "products": _find_values(said, "products"),
        "dates": time_words(said),
    }
    return {kind: ", ".join(values[:_MAX_VALUES]) for kind, values in found.items() if values}


def _find_values(text: str, kind: str) -> list[str]:
    patterns = (each for language in languages() for each in pattern_list(f"signals.{kind}", language))
    matches = sorted((match.start("value"), match["value"]) for pattern in patterns for match in pattern.finditer(text))
    no_name = _words("not_names")
    kept = (value for _, value in matches if not no_name.match(value) and len(value) <= _MAX_VALUE_CHARACTERS)
    return list(dict.fromkeys(kept))


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"signals.{key}")
