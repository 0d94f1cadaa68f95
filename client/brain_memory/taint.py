"""From whose words does a tool call follow: from the person's, or from what memory said?"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

RUN = 5
"""Words (or ideographs) in a row that an argument must share with a text to count as taken from it."""
_SHORT = 3
"""Letters up to which words say nothing that anybody else would not say; an ideograph says as much as two."""
_LONG_NUMBER = 8

_HAN = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}])[^\W_])+(?:[-._@:/]+(?:(?![{_HAN}])[^\W_])+)*")
_DATE = re.compile(r"[12]\d{3}[-./]\d{1,2}[-./]\d{1,2}")
_ADDRESS = re.compile(r"[@:/]|\.[a-z]{2,}$")
_IDEOGRAPH = re.compile(f"[{_HAN}]")
_PART = re.compile(r"[^\W\d_]+")


class Text:
    """A text by its words, which are looked at in several ways."""

    def __init__(self, text: str) -> None:
        self.words = read_words(text)
        self._runs: dict[int, set[tuple[str, ...]]] = {}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its words without their order."""
        return frozenset(self.words)

    def runs(self, length: int) -> set[tuple[str, ...]]:
        """So many words in a row, from every place."""
        if length not in self._runs:
            places = range(len(self.words) - length + 1)
            self._runs[length] = {tuple(self.words[at : at + length]) for at in places}
        return self._runs[length]


def is_borrowed(arguments: Mapping[str, object], sources: Iterable[str], said: str) -> bool:
    """Do a tool's arguments say what one of the sources said and the person did not?

    That is: five words in a row, the whole of a shorter text, an address or a long number, or most of what an argument
    is about.
    """
    own = Text(said)
    values = [Text(value) for value in _texts_of_call(arguments)]
    return any(_borrows(value, source, own) for source in map(Text, sources) for value in values)


def is_grounded(texts: Iterable[str], said: str) -> bool:
    """Whether any of the texts speaks of something that the person spoke of."""
    own = _content(read_words(said))
    return any(not own.isdisjoint(_content(read_words(text))) for text in texts)


def names_tool(name: str, sources: Iterable[str]) -> bool:
    """Whether one of the texts has all words of a tool's name."""
    parts = set(_parts(name))
    return bool(parts) and any(parts <= set(_parts(source)) for source in sources)


def texts_of(value: object) -> Iterator[str]:
    """Every text and number in a value as JSON has them, names of nested fields included."""
    match value:
        case Mapping():
            for name, inner in cast("Mapping[object, object]", value).items():
                yield str(name)
                yield from texts_of(inner)
        case list() | tuple() | set():
            for inner in cast("Iterable[object]", value):
                yield from texts_of(inner)
        case bool() | None:
            return
        case _:
            yield str(value)


def read_words(text: str) -> list[str]:
    """The words of a text without case, width or characters that nobody sees; dates are not words."""
    seen = text
    if not text.isascii():
        seen = "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")
    return [word for word in _WORD.findall(seen.casefold()) if not _DATE.fullmatch(word)]


def _texts_of_call(arguments: Mapping[str, object]) -> Iterator[str]:
    """The values alone: the names of the arguments are the developer's."""
    for value in arguments.values():
        yield from texts_of(value)


def _borrows(value: Text, source: Text, own: Text) -> bool:
    shared = value.vocabulary & source.vocabulary
    return bool(shared) and (_shares_run(value, source, own) or _is_mostly_from(value, source, own))


def _shares_run(value: Text, source: Text, own: Text) -> bool:
    news = (value.vocabulary & source.vocabulary) - own.vocabulary
    length = min(RUN, len(source.words))
    runs = value.runs(length) & source.runs(length) if length > 1 else frozenset[tuple[str, ...]]()
    return any(map(_is_distinctive, news)) or bool(runs - own.runs(length))


def _is_mostly_from(value: Text, source: Text, own: Text) -> bool:
    about = {word for word in value.vocabulary if len(word) > _SHORT or _is_ideograph(word)} or value.vocabulary
    news = about - own.vocabulary
    letters = sum(2 if _is_ideograph(word) else len(word) for word in news)
    return letters > _SHORT and 2 * len(news) > len(about) and news <= source.vocabulary


def _is_distinctive(word: str) -> bool:
    """An address, or a number or identifier that nobody hits by chance."""
    has_digit = any(letter.isdigit() for letter in word)
    return bool(_ADDRESS.search(word)) or (len(word) >= _LONG_NUMBER and has_digit)


def _is_ideograph(word: str) -> bool:
    return len(word) == 1 and _IDEOGRAPH.match(word) is not None


def _content(words: Sequence[str]) -> set[str]:
    """Longer words, and ideographs in pairs: one alone is in too many words."""
    pairs = {
        first + second for first, second in itertools.pairwise(words) if _is_ideograph(first) and _is_ideograph(second)
    }
    return {word for word in words if len(word) > _SHORT} | pairs


def _parts(text: str) -> list[str]:
    """Words without numbers, with the parts of names like ``send_email`` and ``sendEmail`` apart."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", text))
    return [part.casefold() for part in _PART.findall(apart)]
