"""Which format a file is of, by its shape: what it is called says nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apps.past.formats import chatgpt, claude, gemini, langgraph_store, letta, mem0, okf, zep
from apps.past.talk import Frame, RawTalk


@dataclass(frozen=True)
class Format:
    """A reader of one system's values; ``title`` is how people call it."""

    name: str
    title: str
    recognises: Callable[[object], bool]
    read: Callable[[object, Frame], Iterator[RawTalk]]


def _never(value: object) -> bool:
    """Concepts are told by their files, not by a value of JSON."""
    return False


OKF = Format(okf.NAME, okf.SYSTEM, _never, okf.read)
FORMATS = (
    Format(chatgpt.NAME, chatgpt.ASSISTANT, chatgpt.recognises, chatgpt.read),
    Format(claude.NAME, claude.ASSISTANT, claude.recognises, claude.read),
    Format(gemini.NAME, gemini.ASSISTANT, gemini.recognises, gemini.read),
    Format(letta.NAME, letta.SYSTEM, letta.recognises, letta.read),
    Format(langgraph_store.NAME, langgraph_store.SYSTEM, langgraph_store.recognises, langgraph_store.read),
    Format(mem0.NAME, mem0.SYSTEM, mem0.recognises, mem0.read),
    Format(zep.NAME, zep.SYSTEM, zep.recognises, zep.read),
    OKF,
)


def recognise(value: object) -> Format | None:
    """The format of a value, or None."""
    return next((each for each in FORMATS if each.recognises(value)), None)
