"""In which language something is said, told by its script."""

import re
from functools import cache

from language.tables import Language as Language
from language.tables import languages, pattern

DEFAULT = "en"
"""The language of what no other one claims."""
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> Language:
    """The language any letter of which is in it: Chinese when there is any ideograph."""
    for language, letters in _letters():
        if letters.search(text):
            return language
    return DEFAULT


def same_language(source: str, text: str) -> bool:
    """Whether a text keeps to the script that its source is in; a source mixed with Latin words allows both."""
    language = language_of(source)
    if language == DEFAULT:
        return language_of(text) == DEFAULT
    return language_of(text) == language or len(_LATIN_WORD.findall(source)) > 2


@cache
def _letters() -> tuple[tuple[Language, re.Pattern[str]], ...]:
    return tuple((each, pattern("script.letters", each)) for each in languages() if each != DEFAULT)
