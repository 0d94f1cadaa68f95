"""What the standing documents say to a question, for a reply without a model: whole lines, as they stand there."""

import re
from collections.abc import Iterator, Sequence

from language.terms import fold, word_terms

MOST = 8
_ABOUT_ME = re.compile(
    r"\b(?:know|remember|learn(?:ed|t)?|recall|noted?)\b.{0,40}\babout (?:me|myself)\b|\bwho am i\b"
    r"|\bwhat (?:do|can) you (?:know|remember)(?: so far)?\s*[?.!]*$|\btell me what you (?:know|remember)"
    r"|(?:知道|了解|记得|记住|记着)[^。？！]{0,6}(?:关于)?我(?:的)?(?:什么|哪些|多少|吗|一切)"
    r"|关于我[^。？！]{0,12}(?:知道|了解|记)|我是(?:谁|什么样的人)|你(?:都|还)?(?:记得|知道|记住)(?:了)?(?:些)?什么",
    re.IGNORECASE,
)
_LINE = re.compile(r"^\s*[-*]\s+(?P<said>\S.*)$")
_LITTLE = frozenset(word_terms("i me my you your do does did is are was were have has what which who where when how"))


def about_the_user(asked: str) -> bool:
    """Whether somebody asks for everything: no word of such a question finds anything."""
    return _ABOUT_ME.search(asked) is not None


def told(documents: Sequence[str], asked: str) -> list[str]:
    """Lines that share a word with the question, most words first; of "what do you know about me" the first ones."""
    lines = list(dict.fromkeys(_lines(documents)))
    if about_the_user(asked):
        return lines[:MOST]
    words = _words(asked)
    shared = [(len(words & _words(line)), line) for line in lines]
    return [line for count, line in sorted(shared, key=lambda each: -each[0]) if count][:MOST]


def _lines(documents: Sequence[str]) -> Iterator[str]:
    for document in documents:
        for line in document.splitlines():
            if (found := _LINE.match(line)) is not None:
                yield found["said"]


def _words(text: str) -> set[str]:
    """Single Chinese characters say too little to tell what a line is about."""
    terms = set(word_terms(fold(text))) - _LITTLE
    return {term for term in terms if len(term) > 1}
