"""One analyser for writing and asking: what is indexed by these rules is found by these rules.

Words carry meaning (English stems, numbers, identifiers, Chinese characters and bigrams); grams, every other character
four-gram of the longer words of an alphabet, forgive spelling. Both are kept as stable signed 32-bit hashes, sorted and
distinct, so that PostgreSQL intersects two ``int4[]`` instead of joining a posting table.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple, Protocol, cast
from zlib import crc32

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from language.detection import language_of
from language.tables import languages, numbers, pattern_of_all, words, words_by_name, words_of_all

MAX_CHARACTERS = 20_000
"""Text beyond this is not indexed: one pasted file must not fill a person's index."""

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(
    rf"(?P<han>[{_IDEOGRAPHS}]+)|(?:(?![{_IDEOGRAPHS}])[^\W_])+(?:[-._@/:+#'](?:(?![{_IDEOGRAPHS}])[^\W_])+)*"
)
_APART = re.compile(r"[\s，。！？；：、“”]+")
_JOINT = re.compile(r"[-._@/:+#]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ENDING = re.compile(r"(?:n't|'(?:s|t|d|ll|m|re|ve))$")
_LONG_CHARACTERS = 5
_CACHED_CHARACTERS = 40
"""Characters of a term up to which it is likely to come again; longer ones would only fill the memory."""


class _Pieces(NamedTuple):
    words: tuple[str, ...]
    grams: tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """What a text is found by. ``words`` and ``grams`` are sorted distinct int32 hashes; ``length`` counts words."""

    words: tuple[int, ...]
    grams: tuple[int, ...]
    length: int


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


_english = cast("_Stemmer", snowballstemmer.stemmer("english"))  # pyright: ignore[reportUnknownMemberType]


def analyse(text: str, *, speaker: str = "", on: date | None = None) -> Terms:
    """Index terms of a text; who said it and on which day are found by as well ("what did Ann say in May 2023")."""
    folded = fold(f"{speaker} {text}")
    words = [*word_terms(folded), *_day_terms(on)]
    return Terms(hash_terms("w", words), hash_terms("g", gram_terms(folded)), len(words))


def fold(text: str) -> str:
    """NFKC, case folded, plain apostrophes, no thousands separators, cut at ``MAX_CHARACTERS``."""
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS]).casefold().replace("’", "'")
    return _THOUSANDS.sub("", plain)


def word_terms(folded: str) -> list[str]:
    """Stems, also those of the word that another is made from, numbers, identifiers whole and in parts, Chinese
    characters and bigrams, months; as they occur.
    """
    terms: list[str] = []
    for token in _TOKEN.finditer(folded):
        terms += _han_terms(token[0]) if token["han"] else _pieces(token[0]).words
    terms += (f"month:{month}" for month in _months(folded))
    return terms


@lru_cache(maxsize=16_384)
def terms_of(text: str, *, alone: bool = False) -> frozenset[str]:
    """The content terms of a text; single Chinese characters where there is nothing longer, or with ``alone``."""
    empty = words("requests.empty", language_of(text))
    found: set[str] = set()
    for piece in _APART.split(fold(text)):
        terms = [term for term in word_terms(piece) if term not in empty]
        longer = [term for term in terms if len(term) > 1 or term.isascii()]
        found.update(terms if alone else longer or terms)
    return frozenset(found)


def gram_terms(folded: str) -> list[str]:
    """Pieces of the longer alphabetic words: a misspelling spares some of them."""
    terms: list[str] = []
    for token in _TOKEN.finditer(folded):
        if not token["han"]:
            terms += _pieces(token[0]).grams
    return terms


def hash_terms(kind: str, terms: Iterable[str]) -> tuple[int, ...]:
    """Sorted distinct hashes; ``kind`` keeps words and grams apart."""
    return tuple(sorted({term_hash(kind, term) for term in terms}))


def term_hash(kind: str, term: str) -> int:
    """CRC-32 as PostgreSQL's signed ``int4``: the same on every machine and in every version."""
    return _kept_hash(kind, term) if len(term) <= _CACHED_CHARACTERS else _hash(kind, term)


def _hash(kind: str, term: str) -> int:
    unsigned = crc32(f"{kind}:{term}".encode())
    return unsigned - (1 << 32) if unsigned >= 1 << 31 else unsigned


def _pieces(token: str) -> _Pieces:
    return _kept_pieces(token) if len(token) <= _CACHED_CHARACTERS else _split_token(token)


def _split_token(token: str) -> _Pieces:
    light = words_of_all("terms.stop_words")
    parts = [word for word in _parts(token) if word not in light]
    stems = tuple(_english.stemWord(word) if word.isascii() else word for word in parts)
    families = words_by_name("terms.families")
    stems = (*stems, *(families[word] for word in parts if word in families))
    words = (token, *stems) if _JOINT.search(token) else stems
    return _Pieces(words, tuple(gram for word in parts for gram in _grams(word)))


_kept_hash = lru_cache(maxsize=65_536)(_hash)
_kept_pieces = lru_cache(maxsize=65_536)(_split_token)


def _parts(token: str) -> list[str]:
    """An identifier's pieces, without possessive and contracted endings (``ann's``, ``don't``, not ``o'brien``)."""
    return [_ENDING.sub("", part).replace("'", "") for part in _JOINT.split(token)]


def _han_terms(run: str) -> list[str]:
    bigrams, fillers = [run[at : at + 2] for at in range(len(run) - 1)], words_of_all("terms.fillers")
    return [*(character for character in run if character not in fillers), *bigrams]


def _grams(word: str) -> list[str]:
    """The first three letters, then every other four-gram; none of a short word, which is a word of its own."""
    if len(word) < _LONG_CHARACTERS:
        return []
    return [f"_{word[:3]}", *(word[at : at + 4] for at in range(1, len(word) - 3, 2))]


def _months(folded: str) -> Iterator[int]:
    yield from (int(found[1]) for found in pattern_of_all("terms.month_number").finditer(folded))
    months = _month_names()
    for token in _TOKEN.finditer(folded):
        month = months.get(token[0])
        if month and not (token[0] == "march" and pattern_of_all("terms.march_as_verb").search(folded)):
            yield month
    if pattern_of_all("terms.may_as_month").search(folded):
        yield 5


@cache
def _month_names() -> Mapping[str, int]:
    return {name: number for each in languages() for name, number in numbers("terms.months", each).items()}


def _day_terms(on: date | None) -> list[str]:
    return [] if on is None else [str(on.year), f"month:{on.month}", str(on.day)]
