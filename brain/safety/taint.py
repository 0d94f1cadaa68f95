"""From whose words does a tool call follow? What another voice planted cannot justify a dangerous tool."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from brain.state import MemoryUse

RUN = 5
"""Words (or ideographs) in a row that an argument must share with a text to count as taken from it."""
_LONG_TOKEN = 8
_READ = 20_000

_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}])[^\W_])+(?:[-._@:/]+(?:(?![{_HAN}])[^\W_])+)*")
_PLACE = re.compile(r"[@:/]|\.[a-z]{2,}$")

Run = tuple[str, ...]


def tainted(arguments: object, sources: Iterable[str], said: str) -> bool:
    """Do a tool's arguments repeat what a source said and the user, in this turn, did not?

    Repeating means five words in a row, the whole of a shorter text, or one address or long number.
    """
    wanted = [_tokens(value) for value in _texts(arguments)]
    own = _tokens(said)
    return any(_repeats(wanted, _tokens(source), own) for source in sources)


def untrusted(memories: Iterable[MemoryUse], messages: Sequence[AnyMessage]) -> Iterator[str]:
    """What this turn read that nobody here vouches for: other voices in memory, and tool results."""
    for memory in memories:
        if memory["role"] in ("tool", "assistant") or memory.get("sanitization") == "sanitized":
            yield memory["text"]
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return
        if isinstance(message, ToolMessage):
            yield from cast("Sequence[str]", message.artifact or ())


def _repeats(wanted: Iterable[Sequence[str]], source: Sequence[str], own: Sequence[str]) -> bool:
    length = min(RUN, len(source))
    planted = _runs(source, length) if length > 1 else set[Run]()
    planted |= {(token,) for token in source if _is_telling(token)}
    return any((planted & _all_runs(tokens, length)) - _all_runs(own, length) for tokens in wanted)


def _all_runs(tokens: Sequence[str], length: int) -> set[Run]:
    return _runs(tokens, length) | {(token,) for token in tokens}


def _runs(tokens: Sequence[str], length: int) -> set[Run]:
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)}


def _is_telling(token: str) -> bool:
    """An address, or a number or identifier that nobody hits by chance."""
    has_digit = any(letter.isdigit() for letter in token)
    return bool(_PLACE.search(token)) or (len(token) >= _LONG_TOKEN and has_digit)


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
        case str() | int() | float():
            yield str(arguments)
        case _:
            return
