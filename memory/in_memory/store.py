"""The data of the in-memory ports, by compartment."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count
from uuid import UUID

from memory.calibration import VectorWeight
from memory.conflicts import Conflict
from memory.contracts import (
    Citation,
    Event,
    MemoryItem,
    MemoryVersion,
    Operation,
    Receipt,
    RecentChange,
    SessionRef,
    Visibility,
    WriteReceipt,
)
from memory.documents.document import Document
from memory.index_rows import IndexRow
from memory.ledger import ModelRole, Purpose, Spending
from memory.refusals import Refusal
from memory.scope import Scope, Space
from memory.sessions import Summary

LedgerKey = tuple[UUID, date, Purpose, ModelRole]


@dataclass(frozen=True)
class ThreadPlace:
    """Where a turn stands: its thread, and the turn before it there."""

    thread: str
    parent: UUID | None


@dataclass
class Compartment:
    """Everything one scope can see. ``numbers`` are the store's, for the ids of the next writes."""

    numbers: Iterator[int]
    events: list[tuple[UUID, Event]] = field(default_factory=list[tuple[UUID, Event]])
    keys: dict[str, UUID] = field(default_factory=dict[str, UUID])
    runs: dict[UUID, str] = field(default_factory=dict[UUID, str])
    """Which run brought an event or a receipt."""
    positions: dict[UUID, int] = field(default_factory=dict[UUID, int])
    """The next position of a session; what is taken back leaves a gap."""
    replaced: dict[UUID, UUID] = field(default_factory=dict[UUID, UUID])
    """Replies that were given again, and by which they were replaced."""
    sessions: dict[UUID, SessionRef] = field(default_factory=dict[UUID, SessionRef])
    archived: set[UUID] = field(default_factory=set[UUID])
    slots: dict[UUID, dict[str, str]] = field(default_factory=dict[UUID, dict[str, str]])
    carried: dict[UUID, dict[str, object]] = field(default_factory=dict[UUID, dict[str, object]])
    visibilities: dict[UUID, Visibility] = field(default_factory=dict[UUID, Visibility])
    blocks: dict[UUID, list[Summary]] = field(default_factory=dict[UUID, list[Summary]])
    operations: dict[UUID, Operation] = field(default_factory=dict[UUID, Operation])
    accepted: dict[UUID, tuple[UUID, UUID]] = field(default_factory=dict[UUID, tuple[UUID, UUID]])
    """In which session an operation was accepted, and from whom."""
    places: dict[UUID, ThreadPlace] = field(default_factory=dict[UUID, ThreadPlace])
    """Where operations stand in their threads, in the order of the log."""
    left: dict[UUID, datetime] = field(default_factory=dict[UUID, datetime])
    """Operations that their thread has left behind, and when."""
    receipts: dict[UUID, list[Receipt]] = field(default_factory=dict[UUID, list[Receipt]])
    receipt_places: dict[UUID, tuple[UUID, datetime]] = field(default_factory=dict[UUID, tuple[UUID, datetime]])
    """In which session a receipt was written, and when."""
    rows: dict[UUID, IndexRow] = field(default_factory=dict[UUID, IndexRow])
    hidden: dict[UUID, IndexRow] = field(default_factory=dict[UUID, IndexRow])
    items: dict[UUID, MemoryItem] = field(default_factory=dict[UUID, MemoryItem])
    versions: dict[UUID, list[MemoryVersion]] = field(default_factory=dict[UUID, list[MemoryVersion]])
    changes: list[RecentChange] = field(default_factory=list[RecentChange])
    """Every version that was written, in their order; the twin's own clock tells when."""
    citations: dict[UUID, tuple[Citation, ...]] = field(default_factory=dict[UUID, tuple[Citation, ...]])
    conflicts: dict[UUID, Conflict] = field(default_factory=dict[UUID, Conflict])
    answers: dict[str, WriteReceipt] = field(default_factory=dict[str, WriteReceipt])
    documents: dict[UUID, Document] = field(default_factory=dict[UUID, Document])
    document_versions: dict[UUID, list[Document]] = field(default_factory=dict[UUID, list[Document]])
    note_entries: set[UUID] = field(default_factory=set[UUID])

    def new_id(self) -> UUID:
        return UUID(int=(0xFACE << 112) | next(self.numbers))

    def rows_of_turn(self, event_id: UUID) -> list[IndexRow]:
        """The turn's row, or those of its passages."""
        if event_id in self.rows:
            return [self.rows[event_id]]
        return [row for row in self.rows.values() if row.event_id == event_id]

    def event(self, event_id: UUID) -> Event | None:
        return next((event for _, event in self.events if event.event_id == event_id), None)

    def turn(self, operation_id: UUID) -> list[Event]:
        return [event for operation, event in self.events if operation == operation_id]

    def session_events(self, session_id: UUID) -> list[Event]:
        return [event for _, event in self.events if event.session_id == session_id]


@dataclass(frozen=True)
class AcceptedTurn:
    """Whose turn a run brought, and when."""

    scope: Scope
    operation_id: UUID
    run_id: str
    at: datetime


@dataclass
class InMemoryStore:
    """All compartments, the turns whose runs are known, and the ids that the next writes get."""

    spaces: dict[Space, Compartment] = field(default_factory=dict[Space, Compartment])
    ledger: dict[LedgerKey, Spending] = field(default_factory=dict[LedgerKey, Spending])
    vector_weights: dict[tuple[UUID, str, str], VectorWeight] = field(
        default_factory=dict[tuple[UUID, str, str], VectorWeight]
    )
    accepted: list[AcceptedTurn] = field(default_factory=list[AcceptedTurn])
    refusals: dict[UUID, list[Refusal]] = field(default_factory=dict[UUID, list[Refusal]])
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def compartment_of(self, scope: Scope) -> Compartment:
        return self.spaces.setdefault(scope.space, Compartment(self.numbers))
