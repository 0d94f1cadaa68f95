"""The ports of Memory Core. ``postgres`` implements them; tests put fakes in the place of single ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from memory.api_keys import ApiKeys
from memory.audit_chain import AuditChain
from memory.bookmarks import Bookmarks
from memory.calibration import Calibration
from memory.chat_exchanges import ChatExchanges
from memory.conflicts import Conflicts
from memory.documents.port import Documents
from memory.erasure import Erasures
from memory.experience import Experiences
from memory.experiments import Experiments
from memory.index_rows import UnembeddedRow
from memory.levels import ServiceLevels
from memory.media import Media
from memory.memory_item import (
    Author,
    Citation,
    Evidence,
    ItemUse,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    RecentChange,
    WriteReceipt,
)
from memory.model_usage import ModelUsage
from memory.paging import Cursor
from memory.past_imports import PastImports
from memory.pending_turns import Backlog, PendingTurns
from memory.person_rows import PersonRows
from memory.privileged_reads import PrivilegedReads
from memory.promotion import Promotions
from memory.recall.query import RecallPass, RecallQuery
from memory.receipts import Receipt, TurnReceipt
from memory.rederivation import Rederivation
from memory.refusals import Refusals
from memory.remembering_pauses import RememberingPauses
from memory.safety_contracts import SafetyContracts
from memory.scope import Scope
from memory.service_alerts import ServiceAlerts
from memory.serving import ServingProcesses
from memory.session_state import SessionEnding, SessionState
from memory.sessions import Sessions
from memory.sign_outs import SignOuts
from memory.soul import Souls
from memory.store_items import StoreItems
from memory.transcripts import Transcripts
from memory.turns import Capture, Event, Forgotten, NewTurn, Operation, OperationStatus, TurnRef
from memory.upkeep import Upkeep


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How an operation ended, and which memories it left."""

    status: OperationStatus
    reason: str | None = None
    memory_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, kw_only=True)
class VectorCount:
    """So many rows have a vector of this model (``none``: they wait for one); staged ones are not read yet."""

    model: str
    staged: bool
    rows: int


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


class MemoryItems(Protocol):
    """Facts with versions: nothing is overwritten, every change names who, why and what it replaced."""

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        """Remember one assertion: new, merged into an equal one, or superseding what held its slot.

        Taken again from a turn that it was taken from before, it changes nothing.
        """
        ...

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        """Raises ``E_NOT_FOUND`` for an unknown id and for another person's id alike."""
        ...

    async def get_many(self, scope: Scope, memory_ids: Sequence[UUID]) -> list[MemoryItem]:
        """Memories by id, in no order; unknown ids and those of others are absent."""
        ...

    async def list_newest(
        self, scope: Scope, *, include_inactive: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[MemoryItem]:
        """The last ones changed first: those behind ``after``, by the time of their change and their id."""
        ...

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        """All versions, oldest first."""
        ...

    async def recent_changes(self, scope: Scope, limit: int = 100) -> list[RecentChange]:
        """What went from this person's own memories within ``UNDO_HOURS`` by the database's clock, and what was noted
        because they asked for it in a conversation; the newest first, without what was changed again since.
        """
        ...

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        """Replace the content as the user states it: a new version, ``confirmed_by_user``."""
        ...

    async def restate(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        """Replace the content as a program concludes it: a new version that is believed no more than before.

        Raises ``E_CONFLICT`` for what a person said or confirmed.
        """
        ...

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        """The user vouches for it: confidence 1.0, validated now."""
        ...

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        """Soft delete: gone from every reading at once, kept in the history."""
        ...

    async def forget_chosen(self, scope: Scope, chosen: Mapping[UUID, int], author: Author) -> Sequence[UUID]:
        """Forget all of them, each of the version that was looked at, or none; those that it went from are told.

        What was forgotten before stays so. Raises ``E_CONFLICT`` where one was changed since, ``E_NOT_FOUND``.
        """
        ...

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        """Bring an earlier version back as a new one; its use stays what it is now."""
        ...

    async def set_use(self, scope: Scope, memory_id: UUID, use: ItemUse, author: Author) -> WriteReceipt:
        """Pin a memory, exclude it from use, or neither: ``merged`` says that it was so before.

        What is excluded, and the turns that say it, are in no reading until it is ``auto`` again; nothing of it is
        lost. Raises ``E_BAD_REQUEST`` for a forgotten memory, and for pinning one that has ended.
        """
        ...

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        """The cited turns, verified against their hashes now; a mismatch marks the memory stale, its repair waits."""
        ...

    async def find_prior_extractions(
        self, scope: Scope, event_ids: Sequence[UUID]
    ) -> list[tuple[MemoryItem, Citation]]:
        """What this person's turns left before, whatever became of it since: each memory by what it cites of a turn.

        In the order of turns (by id), places and memories.
        """
        ...

    async def find_resting_on(self, scope: Scope, words: Sequence[Citation]) -> list[UUID]:
        """The active memories that rest on some of these words; what is being written of them is waited for."""
        ...

    async def find_touched(self, scope: Scope, memory_ids: Sequence[UUID], operators: Sequence[str]) -> frozenset[UUID]:
        """Which of these memories somebody else than these operators changed, or contradicts in an open conflict.

        The first operator is the one who wrote them: what another began counts as touched.
        """
        ...

    async def rederive(self, scope: Scope, rederivation: Rederivation, author: Author) -> WriteReceipt:
        """Let a memory give way to what its turns say when they are read again; its history keeps it.

        Raises ``E_CONFLICT`` when the memory changed meanwhile.
        """
        ...

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        """Rest a memory on other citations; on none at all it is retracted."""
        ...


class RecallIndex(Protocol):
    """The derived index over everything that can be found again."""

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        """One retrieval pass over one person's rows. One round trip; two while a long index is being read in."""
        ...

    async def rows_without_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        """Rows that wait for a vector of this model, oldest first; none while another model serves this person."""
        ...

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        """Give rows their vectors; returns how many took one: a row that changed meanwhile goes on waiting.

        Raises ``E_DIM_MISMATCH`` when the model's vectors had another length before.
        """
        ...

    async def rows_without_staged_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        """Rows that a coming model has not read yet, oldest first."""
        ...

    async def stage_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        """Lay vectors of a coming model beside rows that are read as before; like ``save_vectors`` otherwise."""
        ...

    async def switch_vectors(self, scope: Scope, model: str) -> int:
        """Serve this person by another model from now on, all rows at once; rows that it has not read yet wait.

        Returns how many rows it serves by this.
        """
        ...

    async def vector_counts(self, scope: Scope) -> list[VectorCount]:
        """Which models serve how many of this person's rows, by the model's name."""
        ...

    async def most_used(self, scope: Scope, limit: int) -> dict[UUID, int]:
        """How often each memory was shown and reacted to since it says what it says, the most first."""
        ...

    async def rebuild(self, scope: Scope) -> int:
        """Derive this person's index again from log, memories, documents and summaries; returns the rows written."""
        ...


@dataclass(frozen=True, kw_only=True)
class MemoryCore:
    """The ports, handed around as one."""

    log: ConversationLog
    items: MemoryItems
    conflicts: Conflicts
    index: RecallIndex
    documents: Documents
    sessions: Sessions
    upkeep: Upkeep
    model_usage: ModelUsage
    refusals: Refusals
    calibration: Calibration
    store: StoreItems
    api_keys: ApiKeys
    sign_outs: SignOuts
    chat_exchanges: ChatExchanges
    transcripts: Transcripts
    erasures: Erasures
    privileged_reads: PrivilegedReads
    audit_chain: AuditChain
    safety_contracts: SafetyContracts
    promotions: Promotions
    experiences: Experiences
    bookmarks: Bookmarks
    souls: Souls
    experiments: Experiments
    past_imports: PastImports
    person_rows: PersonRows
    media: Media
    pauses: RememberingPauses
    levels: ServiceLevels
    serving: ServingProcesses
    service_alerts: ServiceAlerts
