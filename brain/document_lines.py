"""What stands in the documents of a prompt, line by line, for a reply that is made without a model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from language.similarity import content_terms
from memory.documents.outdated_marks import is_outdated

_BULLET = re.compile(r"^\s*[-*]\s+(?=\S)")
_MARK_ALONE = re.compile(r"\s*\(outdated since ")
"""A mark below the words that are over, as the notes of a day have it."""
_NO_TEXT = re.compile(r"^\s*(?:#{1,6} |</?[a-z_]+[0-9a-f]*\b[^>]*>\s*$)|^\s*$")


@dataclass(frozen=True)
class DocumentLine:
    """One line of a document, which is named by its place among the documents of the prompt."""

    document: int
    text: str


def lines_about(documents: Sequence[str], asked: str) -> list[DocumentLine]:
    """Lines that share a word with the question, those with most words first."""
    words = _words(asked)
    shared = [(len(words & _words(line.text)), line) for line in all_lines(documents)]
    return [line for count, line in sorted(shared, key=lambda each: -each[0]) if count]


def all_lines(documents: Sequence[str]) -> list[DocumentLine]:
    """Every line of text that still holds once, in order."""
    return list({line.text: line for line in _split_lines(documents)}.values())


def _split_lines(documents: Sequence[str]) -> Iterator[DocumentLine]:
    for place, document in enumerate(documents):
        lines = document.splitlines()
        for line, following in zip(lines, [*lines[1:], ""], strict=False):
            is_over = is_outdated(line) or _MARK_ALONE.match(following)
            if not is_over and not _NO_TEXT.match(line):
                yield DocumentLine(place, _BULLET.sub("", line).strip())


def _words(text: str) -> set[str]:
    """Single Chinese characters say too little to tell what a line is about."""
    return {term for term in content_terms(text) if len(term) > 1}
