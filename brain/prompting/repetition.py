"""Whether a prompt would say a thing twice: by words, and each number by what it counts or names."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from language.acts import is_question_sentence
from language.people import SPEAKER, find_person, is_about_one
from language.sentences import split_sentences
from language.similarity import content_terms, is_contained_in

_DAY = re.compile(r"\(?\b[12]\d{3}-\d{2}-\d{2}\b\)?")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_TOKEN = re.compile(r"\d+(?:[.:,/]\d+)*|[\u3400-\u9fff]|[^\W\d_]+|[^\w\s]")


@lru_cache(maxsize=16_384)
def repeats(text: str, other: str) -> bool:
    """Whether the other text says all that this one says; "plot 3" is not said by "plot 23 and 3 hens"."""
    if not is_contained_in(text, other) or not is_one_person(text, other):
        return False
    held = _numbers(other)
    return all(any(number == each and nouns & beside for each, beside in held) for number, nouns in _numbers(text))


def is_one_person(one: str, other: str) -> bool:
    """Whether two sentences may be about the same person."""
    return is_about_one(find_person(one) or SPEAKER, one, find_person(other) or SPEAKER, other)


def is_told(text: str, lines: Iterable[str]) -> bool:
    """Whether each sentence of a text that is no question is said by one of the lines."""
    said = tuple(lines)
    sentences = [each.text for each in split_sentences(text) if not is_question_sentence(each.text)]
    return bool(sentences) and all(any(repeats(each, line) for line in said) for each in sentences)


def cut_told_lines(section: str, told: Iterable[str]) -> str:
    """A section of a document without the lines that are said already; empty when only its first line is left."""
    said, lines = tuple(told), [line for line in section.splitlines() if line.strip()]
    kept = [line for line in lines if not any(repeats(plain_line(line), each) for each in said)]
    if len(kept) == len(lines):
        return section
    return "\n".join(kept) if len(kept) > 1 else ""


def plain_line(line: str) -> str:
    """What a line of a document says, without what makes it an item of a list."""
    return _BULLET.sub("", line)


@lru_cache(maxsize=8_192)
def _numbers(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each number with the nearest words of substance before and behind it."""
    tokens = [each.casefold() for each in _TOKEN.findall(_DAY.sub(" ", text))]
    return tuple(
        (token, _find_nouns(tokens, place) or frozenset({token}))
        for place, token in enumerate(tokens)
        if token[0].isdecimal()
    )


def _find_nouns(tokens: list[str], place: int) -> frozenset[str]:
    return frozenset((*_find_noun(reversed(tokens[:place])), *_find_noun(tokens[place + 1 :])))


def _find_noun(tokens: Iterable[str]) -> Iterator[str]:
    """The first word that is more than a little word, up to the next punctuation mark or number."""
    for token in tokens:
        if not token.isalpha():
            return
        if content_terms(token):
            yield token
            return
