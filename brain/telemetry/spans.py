"""What is recorded while a turn runs: plain records, and which step they belong to."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from secrets import randbits
from time import time_ns
from uuid import UUID

from brain.models.errors import ModelError
from brain.telemetry.names import ERROR
from memory.errors import BrainError

Attribute = str | int | float | bool | list[str]
Attributes = dict[str, Attribute]
_SPAN_BITS = 64


@dataclass(slots=True)
class SpanRecord:
    """One span. The trace's id is that of the turn's operation, by which receipts and audit name it too."""

    name: str
    trace_id: int
    span_id: int
    parent_id: int | None
    started: int
    ended: int = 0
    is_client: bool = False
    attributes: Attributes = field(default_factory=dict[str, Attribute])
    is_step: bool = False
    """Whether it is a node of the graph, which its name is."""


Sink = Callable[[SpanRecord], None]


@dataclass(frozen=True, slots=True)
class Step:
    """The step that runs now. What it does is recorded below it."""

    trace_id: int
    span_id: int
    sink: Sink


_running: ContextVar[Step | None] = ContextVar("brain_telemetry_step", default=None)


def new_span_id() -> int:
    """Any number but 0, which means none."""
    return randbits(_SPAN_BITS) or 1


def root_span_id(operation_id: UUID) -> int:
    """The span of the turn itself: every step knows it before the turn ends and it is recorded."""
    return operation_id.int & ((1 << _SPAN_BITS) - 1) or 1


@contextmanager
def run_step(step: Step) -> Generator[None]:
    """Whatever is recorded inside belongs to this step."""
    before = _running.set(step)
    try:
        yield
    finally:
        _running.reset(before)


@contextmanager
def record(name: str, attributes: Attributes, *, is_client: bool = False) -> Generator[Attributes]:
    """Record what happens inside, below the step that runs; attributes may be added until it ends.

    Outside of a step that is observed nothing is recorded. Of an error its class is told, never its words.
    """
    step = _running.get()
    if step is None:
        yield attributes
        return
    span = SpanRecord(name, step.trace_id, new_span_id(), step.span_id, time_ns(), 0, is_client, attributes)
    try:
        yield attributes
    except BaseException as error:
        attributes[ERROR] = error_type(error)
        raise
    finally:
        span.ended = time_ns()
        step.sink(span)


def error_type(error: BaseException) -> str:
    """The code of an error that has one, else its class."""
    if isinstance(error, BrainError):
        return error.code
    return error.reason if isinstance(error, ModelError) else type(error).__name__
