"""What Memory Core promises: the shapes that pass through its ports. All values are frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal
from uuid import UUID

from language.kinds import Grounds
from memory.experiments import ExperimentTurn
from memory.media import MediaBlock, content_sha256
from memory.model_usage import Spending
from memory.soul import SoulReaction
from memory.storable_text import require_storable_text
from memory.zones import require_moment

Role = Literal["user", "assistant", "tool", "system"]
Lane = Literal["turn", "fact", "summary", "document", "store"]
ItemType = Literal["fact", "preference", "constraint", "plan", "relation", "pattern", "insight", "summary"]
ProvenanceLevel = Literal["observation", "analysis", "confirmed_by_user"]
EpistemicType = Literal["fact", "opinion", "preference", "outdated"]
ItemStatus = Literal["active", "superseded", "retracted", "archived", "deleted", "left"]
"""``left``: it rests only on turns that their thread has left behind."""
Visibility = Literal["all", "session", "log"]
"""How far a turn may be read: ``session`` is off the record, ``log`` repeats what was forgotten."""
ItemUse = Literal["auto", "pinned", "excluded"]
"""``pinned`` stands in every prompt while it is active; ``excluded`` is in no prompt, no recall and no reply."""
OperationStatus = Literal["accepted", "queued", "stored", "nothing", "dead_letter"]
Change = Literal[
    "create",
    "correct",
    "confirm",
    "supersede",
    "retract",
    "forget",
    "restore",
    "merge",
    "stale",
    "repair",
    "calibrate",
    "validate",
    "outdate",
    "fuse",
    "consolidate",
    "compress",
    "archive",
    "leave",
    "return",
    "resume",
    "end",
    "part_over",
    "lift_doubt",
    "set_use",
    "rederive",
]
WriteStatus = Literal["accepted", "rejected", "merged"]
Action = Literal["append", "supersede", "retract", "merge", "append_conflict", "precede", "known", "reject"]

TAKES_AWAY: tuple[Change, ...] = ("forget", "correct", "supersede", "retract")
"""Changes after which something is no longer read."""
UNDO_HOURS = 24
"""How long what was taken away can be brought back by one word."""
ASKED_FOR = "asked for in the conversation"
"""The reason of a change that a person asked for while talking."""

CONTENT_SCHEMA_VERSION, WORDS_SCHEMA_VERSION = 2, 1
"""Of the content blocks of a logged turn; one of words alone is as it was before there were others."""
RECEIPT_SCHEMA_VERSION = 3


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """One message on its way into the log. Times are aware; ``reference`` is the channel's own name for it.

    What only repeats memory (a reply made without a model) is logged but not ``indexed``: an echo is not evidence.
    Neither is anything whose ``visibility`` is not ``all``. A reply that was shown only so far is ``broken_off``.
    """

    event_id: UUID
    role: Role
    speaker: str
    text: str
    occurred_at: datetime
    time_zone: str = "UTC"
    reference: str | None = None
    idempotency_key: str | None = None
    indexed: bool = True
    visibility: Visibility = "all"
    broken_off: bool = False
    media: tuple[MediaBlock, ...] = ()

    def __post_init__(self) -> None:
        """What cannot be stored, or placed in time, is refused before anything is written."""
        for text in (self.text, self.speaker, self.reference or "", self.idempotency_key or ""):
            require_storable_text(text)
        require_moment(self.occurred_at, self.time_zone)

    @property
    def is_searchable(self) -> bool:
        """Whether it gets a row in the index: only words are found."""
        return self.indexed and self.visibility == "all" and bool(self.text.strip())

    @property
    def sha256(self) -> str:
        """By which the log knows it."""
        return content_sha256(self.text, [each.sha256 for each in self.media])


@dataclass(frozen=True, kw_only=True)
class Event:
    """One line of the conversation log, as read back."""

    event_id: UUID
    session_id: UUID
    position: int
    role: Role
    speaker: str
    text: str
    sha256: str
    occurred_at: datetime
    time_zone: str
    reference: str | None = None
    broken_off: bool = False
    blocks: Sequence[Mapping[str, Any]] | None = None
    """References to what it carries beside its words, where it was asked for."""


@dataclass(frozen=True, kw_only=True)
class SessionRef:
    """A session and the names it came with; ``keep_for`` is its lifetime in seconds from its last turn."""

    session_id: UUID
    name: str
    user_name: str
    tenant_name: str
    keep_for: int = 30 * 86_400


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


@dataclass(frozen=True, kw_only=True)
class NewTurn:
    """A person's words on their way into the log, before anything answers them.

    ``run_id`` is the server's name of the run that brings them, the same at each of its attempts. ``parent_id`` is the
    turn before it in its thread; a run ``from_start`` began at a checkpoint before any turn of a thread that has some.
    Both count only for a turn that ``forks``: its client named the checkpoint. Any other follows its thread's newest.
    """

    operation_id: UUID
    session: SessionRef
    words: Utterance
    run_id: str | None = None
    thread_id: str | None = None
    parent_id: UUID | None = None
    from_start: bool = False
    forks: bool = False


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """Which memories and turns may not be read, and whether any memory was forgotten or excluded since a moment."""

    ids: frozenset[UUID]
    anything: bool


@dataclass(frozen=True, kw_only=True)
class TurnRef:
    """A logged turn in its session, and when it is looked at again. It ``forks`` if a client named its checkpoint."""

    operation_id: UUID
    session_id: UUID
    at: datetime
    forks: bool = False


@dataclass(frozen=True, kw_only=True)
class Capture:
    """All that one turn (or one ingested batch) leaves behind: written in one transaction or not at all.

    ``ends`` closes the session with it; the next turn opens it again. Work on it begins when ``pause``
    seconds have passed since the session's last turn, or ten times as many since its first; at once when it ``ends`` or
    is ``urgent``, and what it takes back is then carried out before and apart from all that. What models cost it counts
    for the day of its first utterance. A turn that is ``settled`` (the reason why) is looked at by nobody; what the
    session carries on is replaced by ``carried``, if any.

    ``accepted`` says that it ends a turn whose words were accepted before and may be read as far as ``visibility``
    tells: where that turn was taken back, nothing is written. Its receipts' ids tell whether it was captured before;
    then it adds nothing. ``soul_reaction`` tells how the reply before was taken, ``experiment`` what the turn adds to
    the variant that answered.
    """

    operation_id: UUID
    session: SessionRef
    utterances: tuple[Utterance, ...]
    receipts: tuple[Receipt, ...] = ()
    spendings: tuple[Spending, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    entity_slots: Mapping[str, str] = field(default_factory=dict[str, str])
    urgent: bool = False
    pause: float = 0.0
    ends: bool = False
    thread_id: str | None = None
    settled: str = ""
    carried: Mapping[str, object] | None = None
    run_id: str | None = None
    accepted: bool = False
    visibility: Visibility = "all"
    soul_reaction: SoulReaction | None = None
    experiment: ExperimentTurn | None = None
    at: datetime | None = None
    """When it happened; by the utterances where it is left out."""
    import_id: UUID | None = None
    """The import of a past that brings it along; None for what was said to Brain."""

    @property
    def day(self) -> date:
        """The UTC day on which it began. Raises ``ValueError`` when nothing was said and no time is given."""
        return min(self.moments).astimezone(UTC).date()

    @property
    def moments(self) -> list[datetime]:
        """When something of it was said."""
        return [self.at] if self.at else [each.occurred_at for each in self.utterances]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What became of a turn: ``accepted`` while its run goes on, then ``queued``, at last ``stored``, ``nothing`` (and
    why) or ``dead_letter``.
    """

    operation_id: UUID
    status: OperationStatus
    reason: str | None
    memory_ids: tuple[UUID, ...]
    created_at: datetime
    finished_at: datetime | None

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists; a frozen value holds a tuple."""
        object.__setattr__(self, "memory_ids", tuple(self.memory_ids))


@dataclass(frozen=True, kw_only=True)
class Citation:
    """The span of one logged turn that a memory rests on: characters ``start`` to ``end`` and the turn's SHA-256."""

    event_id: UUID
    start: int
    end: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A citation read back from the log. ``verified``: the turn matches its hash, and the memory's words stand in
    the turns that it cites.
    """

    event_id: UUID
    quote: str
    speaker: str
    occurred_at: datetime
    sha256: str
    verified: bool
    reference: str | None = None


@dataclass(frozen=True, kw_only=True)
class MemoryDraft:
    """One assertion that asks to be remembered. ``replaces`` quotes the old value that a correction takes back;
    ``replaces_memory`` names the memory that held it, whatever its slot is called; it ``retracts`` what never was.
    ``speaker`` said the content in these words; it is empty where nobody did. ``overheard``: a model worded it, and its
    citations only say what it was worded from. ``composed``: a correction put another value into older words, and it
    rests on the turns of both. ``grounds`` tell why what it replaces does not hold beside it, ``over`` are the words of
    it that are over, ``instead`` what holds now. It holds from ``valid_at`` to ``invalid_at`` by its own words,
    whenever it was said.
    """

    item_type: ItemType
    subject: str
    predicate: str
    object: str
    content: str
    category: str
    slot: str
    single_valued: bool
    replaces: str = ""
    replaces_memory: UUID | None = None
    retracts: bool = False
    negated: bool = False
    epistemic_type: EpistemicType | None = None
    provenance: ProvenanceLevel
    confidence: float
    certainty: float
    observed_at: datetime
    valid_at: datetime
    invalid_at: datetime | None = None
    session_id: UUID | None = None
    speaker: str = ""
    overheard: bool = False
    composed: bool = False
    grounds: Grounds = "said"
    over: str = ""
    instead: str = ""
    citations: tuple[Citation, ...] = ()

    @property
    def tells_of_past(self) -> bool:
        """Whether it was over by its own words when it was said."""
        return was_over(self.invalid_at, self.observed_at)


def was_over(until: datetime | None, said: datetime) -> bool:
    """Whether what holds ``until`` then was over when it was ``said``, which is no less true today."""
    return until is not None and until <= said


@dataclass(frozen=True, kw_only=True)
class MemoryItem:
    """MemoryItem schema v1 with what Memory Core adds: triple, both time axes, slot and status."""

    memory_id: UUID
    user_id: UUID
    memory_type: ItemType
    content: str
    valid_at: datetime
    invalid_at: datetime | None
    confidence: float
    source_sessions: tuple[UUID, ...]
    superseded_by: UUID | None
    version: int
    provenance: Mapping[str, object]
    epistemic_type: EpistemicType | None
    subject: str
    predicate: str
    object: str
    negated: bool
    category: str
    slot: str
    status: ItemStatus
    stale: bool
    certainty: float
    observed_at: datetime
    created_at: datetime
    updated_at: datetime
    last_validated_at: datetime | None
    use: ItemUse = "auto"

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists; a frozen value holds a tuple."""
        object.__setattr__(self, "source_sessions", tuple(self.source_sessions))

    @property
    def is_withheld(self) -> bool:
        """Whether nothing may be read or drawn from it, nor from the turns that say it: forgotten, or excluded."""
        return self.status == "deleted" or self.use == "excluded"

    @property
    def tells_of_past(self) -> bool:
        """Whether it lives, and was over by its own words when it was said."""
        return self.status == "active" and was_over(self.invalid_at, self.observed_at)

    def has_ended(self, at: datetime) -> bool:
        """Whether it held when it was said and holds no more ``at`` that moment; what tells of the past never ends."""
        return self.invalid_at is not None and self.invalid_at <= at and not self.tells_of_past

    def goes_on_after(self, at: datetime) -> bool:
        """Whether something was said to take its place only later: until then it holds."""
        replaced_later = self.status == "superseded" and self.invalid_at is not None and self.invalid_at > at
        return replaced_later and self.valid_at <= at

    @property
    def item_id(self) -> UUID:
        """Deprecated alias of ``memory_id``, for callers of the older name."""
        return self.memory_id


@dataclass(frozen=True, kw_only=True)
class WriteReceipt:
    """WriteReceipt schema v1: what a write did. The same idempotency key always returns the same receipt."""

    receipt_id: UUID
    memory_id: UUID
    written_at: datetime
    status: WriteStatus
    trace_id: str = ""


@dataclass(frozen=True, kw_only=True)
class MemoryVersion:
    """One past state of a memory: the whole snapshot, what changed it, who and why."""

    version: int
    change: Change
    snapshot: Mapping[str, object]
    reason: str
    operator: str
    recorded_at: datetime


@dataclass(frozen=True, kw_only=True)
class RecentChange:
    """What became of one memory by a version that can be taken back: ``before`` is empty where it was only noted.

    ``trace_id`` is the same for all that one act changed.
    """

    memory_id: UUID
    version: int
    change: Change
    before: str
    after: str
    operator: str
    reason: str
    trace_id: str
    changed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Author:
    """Who asks for a write, why, and under which key; repeating the key repeats the answer, not the write.

    ``trace_id`` names the turn, command or job that the write belongs to; without one, its key does.
    """

    operator: str
    reason: str
    idempotency_key: str
    at: datetime
    trace_id: str = ""

    def __post_init__(self) -> None:
        """Every audit row can be traced."""
        if not self.trace_id:
            object.__setattr__(self, "trace_id", self.idempotency_key)
