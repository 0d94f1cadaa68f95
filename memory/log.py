"""The port of the conversation log: what was said, and what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from memory.paging import Cursor
from memory.pending_turns import Backlog, PendingTurns
from memory.receipts import Receipt, TurnReceipt
from memory.scope import Scope
from memory.session_state import SessionEnding, SessionState
from memory.turns import Capture, Event, Forgotten, NewTurn, Operation, OperationStatus, TurnRef


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How an operation ended, and which memories it left."""

    status: OperationStatus
    reason: str | None = None
    memory_ids: tuple[UUID, ...] = ()


class ConversationLog(Protocol):
    """The truth: what was said, in order, unchangeable. Everything else can be derived from it again."""

    async def open(
        self, scope: Scope, session_id: UUID, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        """The last ``window`` events of a session, its summaries, slots and unanswered injections, and the documents.

        With a ``day``, what the tenant has spent on models that day. One round trip.
        """
        ...

    async def accept(
        self, scope: Scope, turn: NewTurn, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        """Log a person's words and open their session as it stood before them, in one round trip.

        Known words (the same message of the thread, or the same words of the same run) add nothing and belong to the
        turn that they belonged to. A turn that forks becomes the head of its thread, unless its own run brought it
        before; where the thread went on otherwise, the turns that do not lead to it are left behind, and a second round
        trip follows. Any other turn leaves nothing behind.
        """
        ...

    async def follow_thread(self, scope: Scope, thread_id: str, behind: UUID | None) -> Sequence[Event]:
        """What was said in a thread after a turn (None for all of it), in order: on the line to its head, and as far as
        it may be read. Of much the last."""
        ...

    async def return_to_turn(
        self, scope: Scope, turn: TurnRef, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        """The session as it stood before a logged turn. One that forks becomes the head of its thread again: one round
        trip, and a second one where the thread had gone on.
        """
        ...

    async def list_endings(self, scope: Scope, name: str | None = None) -> Sequence[SessionEnding]:
        """How a person's conversations ended that were used last, the newest first; ``name`` bounds it to one."""
        ...

    async def find_forgotten(self, scope: Scope, ids: Sequence[UUID], since: datetime) -> Forgotten:
        """Which of these memories and turns may not be read any more, and whether anything was forgotten ``since``."""
        ...

    async def capture(self, scope: Scope, capture: Capture) -> None:
        """Write a turn, its index rows, receipts and job in one transaction; known idempotency keys add nothing."""
        ...

    async def take_back(self, run_ids: Sequence[str], tenant_id: UUID | None = None) -> int:
        """Remove whatever runs brought that were rolled back, as if it had never been said; how many turns.

        What memory has already looked at stays. ``tenant_id``: in whose database the runs were.
        """
        ...

    async def release_abandoned(self, before: datetime) -> int:
        """Let memory look at turns accepted before this moment whose run never told its end; how many were found."""
        ...

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        """Events by id, in the order of the log; ids of others are simply absent."""
        ...

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        """The events that one operation wrote, in order."""
        ...

    async def find_readable(self, scope: Scope, operation_ids: Sequence[UUID]) -> frozenset[UUID]:
        """Which of these turns a person said what may be read anywhere: logged, not off the record, not forgotten."""
        ...

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        """By which names sessions were opened; unknown ones are absent."""
        ...

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        """The receipts of one turn, retrieval first."""
        ...

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        """What became of an accepted turn; None when this person has no such operation."""
        ...

    async def list_turn_receipts(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[TurnReceipt]:
        """The retrieval receipts of this person's turns, newest first: those behind ``after``, by time and id."""
        ...

    async def list_operations(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[Operation]:
        """This person's turns, the last accepted first: those behind ``after``, by time and id."""
        ...

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> PendingTurns:
        """This person's queued operations in a session, oldest first: up to ``most`` turns, one operation at least.

        One round trip.
        """
        ...

    async def find_read_turns(
        self, scope: Scope, session_id: UUID, most: int, *, unremarkable: str, behind: int = -1
    ) -> PendingTurns:
        """This person's turns of a session that memory has looked at, oldest first, those behind a position of the log.

        Of turns that left nothing only those whose reason begins with ``unremarkable``: the others were kept from
        memory. One round trip.
        """
        ...

    async def backlog(self, scope: Scope, most: int) -> Backlog:
        """How many jobs of sessions wait, counting up to ``most``."""
        ...

    async def finish(self, scope: Scope, outcomes: Mapping[UUID, Outcome], at: datetime) -> None:
        """Record how operations ended."""
        ...

    async def bury(self, scope: Scope, session_id: UUID, reason: str, at: datetime) -> int:
        """End everything of this person that waits in a session as dead letters; how many there were."""
        ...

    async def reopen(self, scope: Scope, session_id: UUID) -> int:
        """Queue this person's dead letters of a session again, for a job that is replayed; how many there were."""
        ...

    async def hasten(self, scope: Scope, operation_id: UUID) -> None:
        """Work on the session of this turn waits for no further turns: the person has gone."""
        ...

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        """Close a session; False when it was closed or unknown."""
        ...
