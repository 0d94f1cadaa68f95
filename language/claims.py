"""Whether a reply says that something was forgotten, deleted or corrected."""

import re

from language.tables import pattern_of_all

_SENTENCE = re.compile(r"[^.!?。！？\n]+[?？]?")


def claims_change(reply: str) -> bool:
    """Whether a sentence of it claims a change of memory, asks nothing and denies nothing."""
    sentences = (each[0] for each in _SENTENCE.finditer(reply))
    claimed, denied, asked = (pattern_of_all(f"claims.{each}") for each in ("claim", "denied", "asked"))
    return any(claimed.search(each) and not (denied.search(each) or asked.search(each)) for each in sentences)
