"""In which language something is said, told by its script."""

import re
from typing import Literal

Language = Literal["en", "zh"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> Language:
    """Chinese when there is any ideograph in it."""
    return "zh" if _HAN.search(text) else "en"


def same_language(source: str, text: str) -> bool:
    """Whether a text keeps to Chinese or to another script as its source does; a mixed source allows both."""
    if not _HAN.search(source):
        return not _HAN.search(text)
    return bool(_HAN.search(text)) or len(_LATIN_WORD.findall(source)) > 2
