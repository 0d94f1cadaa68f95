"""A memory: the draft that asks for it, the item with its versions, what it rests on, and what a write answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from language.kinds import Grounds

ItemType = Literal["fact", "preference", "constraint", "plan", "relation", "pattern", "insight", "summary"]
ProvenanceLevel = Literal["observation", "analysis", "confirmed_by_user"]
EpistemicType = Literal["fact", "opinion", "preference", "outdated"]
ItemStatus = Literal["active", "superseded", "retracted", "archived", "deleted", "left"]
"""``left``: it rests only on turns that their thread has left behind."""

ItemUse = Literal["auto", "pinned", "excluded"]
"""``pinned`` stands in every prompt while it is active; ``excluded`` is in no prompt, no recall and no reply."""

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
