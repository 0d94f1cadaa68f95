"""Does a sentence speak in the first person?"""

import re

_FIRST = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b|\bI['’]|[我咱俺]", re.IGNORECASE)


def is_first_person(sentence: str) -> bool:
    """Whether whoever says it speaks of themselves or their own, in English or Chinese."""
    return bool(_FIRST.search(sentence))
