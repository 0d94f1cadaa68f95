"""Taint tracking: whose words a tool call follows. Text planted in memory cannot justify a dangerous tool."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from brain.state import MemoryUse
from language.tables import pattern_of_all
from language.terms import fold, word_terms

RUN = 5
"""Words (or ideographs) in a row that an argument must share with a text to count as taken from it."""
_MIN_TOKEN_CHARACTERS = 8
_SHORT_LETTERS = 3
"""Letters up to which a word alone says nothing that anybody else would not say."""
_READ = 20_000

_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}])[^\W_])+(?:[-._@:/]+(?:(?![{_HAN}])[^\W_])+)*")
_PLACE = re.compile(r"[@:/]|\.[a-z]{2,}$")
_DATE = re.compile(r"[12]\d{3}[-./]\d{1,2}[-./]\d{1,2}")

Run = tuple[str, ...]


def is_tainted(arguments: object, sources: Iterable[str], said: str) -> bool:
    """Do a tool's arguments say what a source said and the user, in this conversation, did not?

    That is: five words in a row, the whole of a shorter text, one address or long number, or most of what an argument
    is about.
    """
    values = list(_texts(arguments))
    wanted, own = [_tokens(value) for value in values], _tokens(said)
    news = _new_terms(values, said)
    return any(
        _has_shared_ngram(wanted, _tokens(source), own) or _has_borrowed_terms(news, source) for source in sources
    )


def is_grounded(arguments: object, said: str) -> bool:
    """Whether a tool's arguments speak of anything that the user spoke of."""
    own = frozenset(_terms(said))
    return any(not own.isdisjoint(_terms(value)) for value in _texts(arguments))


def says_more(arguments: object, said: str) -> bool:
    """Whether an argument is for the most part about what the user did not speak of."""
    return bool(_new_terms(list(_texts(arguments)), said))


def user_words(messages: Sequence[AnyMessage]) -> str:
    """What the user said in this conversation: the only words that can ask for an action."""
    return "\n".join(message.text for message in messages if isinstance(message, HumanMessage))


def untrusted_texts(memories: Iterable[MemoryUse], messages: Sequence[AnyMessage]) -> Iterator[str]:
    """What memories and the tools of this turn said."""
    yield from (memory["text"] for memory in memories)
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return
        if isinstance(message, ToolMessage):
            yield from cast("Sequence[str]", message.artifact or ())


def _has_shared_ngram(wanted: Iterable[Sequence[str]], source: Sequence[str], own: Sequence[str]) -> bool:
    length = min(RUN, len(source))
    planted = _ngrams(source, length) if length > 1 else set[Run]()
    planted |= {(token,) for token in source if _is_distinctive(token)}
    return any((planted & _ngrams_and_tokens(tokens, length)) - _ngrams_and_tokens(own, length) for tokens in wanted)


def _new_terms(values: Iterable[str], said: str) -> list[frozenset[str]]:
    """Per argument, what it is about beyond the user's words, when that is most of it."""
    own = frozenset(_terms(said))
    about = ((terms := frozenset(_terms(value)), terms - own) for value in values)
    return [news for terms, news in about if len("".join(news)) > _SHORT_LETTERS and 2 * len(news) > len(terms)]


def _has_borrowed_terms(news: Iterable[frozenset[str]], source: str) -> bool:
    told = frozenset(_terms(source))
    return any(terms and terms <= told for terms in news)


def _terms(text: str) -> list[str]:
    return word_terms(fold(_DATE.sub(" ", pattern_of_all("taint.the_user").sub(" ", text))))


def _ngrams_and_tokens(tokens: Sequence[str], length: int) -> set[Run]:
    return _ngrams(tokens, length) | {(token,) for token in tokens}


def _ngrams(tokens: Sequence[str], length: int) -> set[Run]:
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)}


def _is_distinctive(token: str) -> bool:
    """An address, or a number or identifier that nobody hits by chance; a date anybody may hit."""
    if _DATE.fullmatch(token):
        return False
    has_digit = any(letter.isdigit() for letter in token)
    return bool(_PLACE.search(token)) or (len(token) >= _MIN_TOKEN_CHARACTERS and has_digit)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text[:_READ]).casefold())


def _texts(arguments: object) -> Iterator[str]:
    """Every text and number in the arguments, however nested."""
    match arguments:
        case Mapping():
            for value in cast("Mapping[object, object]", arguments).values():
                yield from _texts(value)
        case list():
            for value in cast("list[object]", arguments):
                yield from _texts(value)
        case bool() | None:
            return
        case str() | int() | float():
            yield str(arguments)
        case _:
            return
