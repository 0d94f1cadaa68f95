"""The telemetry of one process: which turns are open, and where their spans go."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import time_ns
from typing import Protocol
from uuid import UUID

from brain.telemetry.names import AGENT, CONVERSATION, INVOKE_AGENT, OPERATION, OUTCOME
from brain.telemetry.spans import Attributes, SpanRecord, root_span_id

MAX_OPEN = 1_024
"""Turns that may be under way; of one that never ended no root is told once so many others began."""
AGENT_NAME = "brain"


class Exporter(Protocol):
    """Takes records without waiting, and sends them some time."""

    def add(self, span: SpanRecord) -> None:
        """Take one. Where there is no room the oldest is lost, and counted."""
        ...

    async def aclose(self) -> None:
        """Send what is left, for a moment at most."""
        ...


@dataclass(frozen=True, kw_only=True)
class Telemetry:
    """``with_content``: words of turns are told; ``with_users``: names of people and tenants are."""

    exporter: Exporter
    with_content: bool = False
    with_users: bool = False
    clock: Callable[[], int] = time_ns
    """Nanoseconds since 1970."""
    _began: OrderedDict[UUID, int] = field(default_factory=OrderedDict[UUID, int], repr=False)

    def begin_turn(self, operation_id: UUID, at: int) -> None:
        """Note when a turn began, unless it is under way already."""
        self._began.setdefault(operation_id, at)
        while len(self._began) > MAX_OPEN:
            self._began.popitem(last=False)

    def end_turn(self, operation_id: UUID, session_id: str, outcome: str, attributes: Attributes) -> None:
        """Tell of the turn as a whole."""
        now = self.clock()
        told: Attributes = {OPERATION: INVOKE_AGENT, AGENT: AGENT_NAME, CONVERSATION: session_id, OUTCOME: outcome}
        self.exporter.add(
            SpanRecord(
                name=f"{INVOKE_AGENT} {AGENT_NAME}",
                trace_id=operation_id.int,
                span_id=root_span_id(operation_id),
                parent_id=None,
                started=self._began.pop(operation_id, now),
                ended=now,
                attributes=told | attributes,
            )
        )

    async def aclose(self) -> None:
        """Send what is left, for a moment at most."""
        await self.exporter.aclose()
