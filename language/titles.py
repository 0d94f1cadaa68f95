"""A title for a conversation, made of the words with which it began."""

import re

from language import tables
from language.detection import language_of

WORDS, CHARACTERS, UNSPACED_CHARACTERS = 6, 40, 16
_BREAK = re.compile(r"[.!?。！？\n]")


def title_of(words: str) -> str:
    """The beginning of what was said; the word for a conversation where nothing was."""
    first = next((part.strip() for part in _BREAK.split(words) if part.strip()), words)
    language = language_of(first)
    untitled = tables.text("doors.conversation", language)
    if not tables.is_spaced(language):
        return first[:UNSPACED_CHARACTERS] or untitled
    return " ".join(first.split()[:WORDS])[:CHARACTERS].strip(" ,;:") or untitled
