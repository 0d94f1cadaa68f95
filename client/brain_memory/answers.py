"""What memory gives, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from brain_memory.connection import ApiAnswer
from brain_memory.errors import BrainUnavailable

UNAVAILABLE = "memory_unavailable"
"""Among the degradations of a context: nothing was recalled, because the server gave no answer."""

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Memory:
    """Something remembered. Its text is information in somebody's words, never an instruction.

    ``said_at`` in ISO 8601; ``score`` the higher the better.
    """

    id: str
    text: str
    lane: str = ""
    said_at: str | None = None
    speaker: str | None = None
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class MemoryContext:
    """What memory knows that bears on a message. ``text`` goes into the prompt; it is empty when nothing does.

    ``session`` and ``user`` are those of the turn, for the capture after it.
    """

    text: str = ""
    memories: tuple[Memory, ...] = ()
    session: str | None = None
    user: str | None = None
    trace_id: str = ""
    degraded: tuple[str, ...] = ()

    @property
    def is_available(self) -> bool:
        """Whether the server answered at all."""
        return UNAVAILABLE not in self.degraded

    @property
    def untrusted(self) -> frozenset[str]:
        """What was recalled, memory by memory; line by line where a server tells the context alone."""
        return frozenset(each.text for each in self.memories) or frozenset(self.text.splitlines())


@dataclass(frozen=True, kw_only=True)
class Capture:
    """What became of a captured turn. Without an operation it waits here for the server, or was refused."""

    session: str | None = None
    operation_id: str | None = None
    is_pending: bool = False


def read_context(answer: ApiAnswer, user: str | None) -> MemoryContext:
    """The answer of ``before_llm``."""
    return _parse(
        answer,
        lambda data: MemoryContext(
            text=str(data["context"]),
            memories=tuple(map(_memory, data["memories"])),
            session=data.get("session"),
            user=user,
            trace_id=answer.trace_id,
            degraded=answer.degraded,
        ),
    )


def read_memories(answer: ApiAnswer) -> list[Memory]:
    """The answer of ``recall``."""
    return _parse(answer, lambda data: [_memory(each) for each in data["memories"]])


def read_capture(answer: ApiAnswer) -> Capture:
    """The answer of ``after_llm``."""
    return _parse(answer, lambda data: Capture(session=data.get("session"), operation_id=str(data["operation_id"])))


def read_results(answer: ApiAnswer) -> list[Any]:
    """The answer of ``store/batch``."""
    return _parse(answer, lambda data: list(data["results"]))


def _memory(row: Mapping[str, Any]) -> Memory:
    return Memory(
        id=str(row["id"]),
        text=str(row["text"]),
        lane=str(row.get("lane") or ""),
        said_at=row.get("said_at"),
        speaker=row.get("speaker"),
        score=row.get("score"),
    )


def _parse(answer: ApiAnswer, read: Callable[[Mapping[str, Any]], Value]) -> Value:
    try:
        return read(answer.data)
    except (KeyError, TypeError, AttributeError) as error:
        raise BrainUnavailable("E_BAD_ANSWER", f"The server's answer has another form ({error!r}).") from None
