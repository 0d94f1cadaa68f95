"""Words that belong to one matter of life: "rent" and "landlord", 房租 and 房东. They answer for each other in recall.

``concepts.txt`` holds a matter per line: words of one language, an English one by its stem.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from language.terms import fold, word_terms

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_MAX_CHARACTERS = 4
"""Characters of a Chinese word that is looked up."""


@lru_cache(maxsize=8_192)
def concepts_of(text: str) -> Mapping[str, frozenset[int]]:
    """The words of a text that belong to a matter, each with the numbers of its matters."""
    known, folded = load_concepts(), fold(text)
    words = [*word_terms(_HAN.sub(" ", folded)), *(word for run in _HAN.findall(folded) for word in _han_words(run))]
    return {word: known[word] for word in words if word in known}


def _han_words(run: str) -> list[str]:
    """The longest known words of a run, from its beginning on."""
    known, words, at = load_concepts(), list[str](), 0
    while at < len(run):
        size = next((size for size in range(_MAX_CHARACTERS, 0, -1) if run[at : at + size] in known), 1)
        words.append(run[at : at + size])
        at += size
    return words


@lru_cache(maxsize=1)
def load_concepts() -> Mapping[str, frozenset[int]]:
    """By word, the lines it stands in; read once, at the first question."""
    lines = files("language").joinpath("concepts.txt").read_text("utf-8").splitlines()
    found = defaultdict[str, set[int]](set)
    for number, line in enumerate(lines):
        for word in line.split():
            found[word].add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
