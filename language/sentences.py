"""A text taken apart into sentences: where each begins and ends, in code points of the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CHARACTERS = 300
"""Characters of a sentence: speech without punctuation is cut at the last comma or space before this."""

_ABBREVIATIONS = (
    "Mr",
    "Mrs",
    "Ms",
    "Dr",
    "St",
    "Prof",
    "Jr",
    "Sr",
    "Mt",
    "Lt",
    "Sgt",
    "Rev",
    "Capt",
    "No",
    "vs",
    "etc",
    "approx",
    "e.g",
    "i.e",
    "a.m",
    "p.m",
)
_ABBREVIATED = re.compile(rf"\b(?:{'|'.join(map(re.escape, _ABBREVIATIONS))})(?=\.\s+(?!(?:I|He|She|We|It|My|They)\b))")
_NOT_AFTER = "".join(rf"(?<!\b{re.escape(each)})" for each in _ABBREVIATIONS)
_END = re.compile(
    r"[。！!？?；;…]+[\"'”’»)\]）】」』]*"
    r"|\n+"
    rf"|{_NOT_AFTER}(?<!\b[A-Z])\.+[\"'”’»)\]]*(?=\s|$|[\u4e00-\u9fff])"
)
_LONGEST = 8
"""Characters before and behind a full stop that tell whether it shortens a word."""
_BULLET = re.compile(r"(?:(?:[-*•>]|#{1,6}|\d{1,2}[.)、])\s+)+")
_SOFT = re.compile(r"[,，、:：]\s*|\s+")


@dataclass(frozen=True)
class Sentence:
    """``text`` is ``source[start:end]``, without bullets and surrounding space."""

    start: int
    end: int
    text: str


def split_sentences(source: str) -> list[Sentence]:
    """The sentences of a text in order. Nothing between two sentences but space, bullets and line ends is left out."""
    return [Sentence(start, end, source[start:end]) for start, end in _places(source)]


def is_abbreviated(source: str, stop: int) -> bool:
    """Whether the full stop at a place only shortens the word before it: St. Luke's, and not "on Elm St. I work"."""
    begin = max(0, stop - _LONGEST)
    return any(found.end() == stop for found in _ABBREVIATED.finditer(source, begin, min(len(source), stop + _LONGEST)))


def _places(source: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in (*(found.end() for found in _END.finditer(source)), len(source)):
        yield from _cut_long(source, *_trim_span(source, start, stop))
        start = stop


def _trim_span(source: str, start: int, stop: int) -> tuple[int, int]:
    start += len(source[start:stop]) - len(source[start:stop].lstrip())
    bullet = _BULLET.match(source, start, stop)
    start = bullet.end() if bullet else start
    return start, start + len(source[start:stop].rstrip())


def _cut_long(source: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Pieces of at most ``MAX_CHARACTERS`` characters, cut where a pause is, or a space, or anywhere."""
    while stop - start > MAX_CHARACTERS:
        breaks = [found.end() for found in _SOFT.finditer(source, start + MAX_CHARACTERS // 2, start + MAX_CHARACTERS)]
        end = breaks[-1] if breaks else start + MAX_CHARACTERS
        yield start, start + len(source[start:end].rstrip())
        start = end
    if start < stop:
        yield start, stop
