"""Why something was retrieved, injected, rejected or written, and how a person took what was injected."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory.lanes import Lane

RECEIPT_SCHEMA_VERSION = 3


@dataclass(frozen=True, kw_only=True)
class InjectedMemory:
    """A memory that was put before the model in the session's last turn, waiting for the user's reaction."""

    receipt_id: UUID
    memory_id: UUID
    lane: Lane
    text: str


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Why something was retrieved, injected, rejected or written. ``details`` is plain JSON."""

    receipt_id: UUID
    receipt_type: Literal["retrieval", "injection", "write"]
    details: Mapping[str, object]
    memory_id: UUID | None = None
    lane: Lane | None = None
    utilized: bool | None = None
    utilization_signal: str | None = None
    user_feedback_signal: str | None = None


@dataclass(frozen=True, kw_only=True)
class TurnReceipt:
    """The retrieval receipt of a turn in a list; ``operation_id`` names the turn."""

    receipt_id: UUID
    operation_id: UUID
    session_id: UUID
    details: Mapping[str, object]
    created_at: datetime


WELCOME = frozenset({"affirm"})
"""Signals by which a user agrees with what was injected. A question that goes on says that it was used, no more."""


@dataclass(frozen=True, kw_only=True)
class Reaction:
    """How the next user turn took an injected memory."""

    receipt_id: UUID
    memory_id: UUID
    signal: str
    utilized: bool | None = None

    @property
    def is_welcome(self) -> bool:
        """Whether the user agreed with it."""
        return self.signal in WELCOME
