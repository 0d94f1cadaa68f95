"""What passes into the conversation log and out of it: words, events, sessions, whole turns and their operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal
from uuid import UUID

from memory.experiments import ExperimentTurn
from memory.media import MediaBlock, content_sha256
from memory.model_usage import Spending
from memory.receipts import Reaction, Receipt
from memory.soul import SoulReaction
from memory.storable_text import require_storable_text
from memory.zones import require_moment

Role = Literal["user", "assistant", "tool", "system"]
Visibility = Literal["all", "session", "log"]
"""How far a turn may be read: ``session`` is off the record, ``log`` repeats what was forgotten."""
OperationStatus = Literal["accepted", "queued", "stored", "nothing", "dead_letter"]

CONTENT_SCHEMA_VERSION, WORDS_SCHEMA_VERSION = 2, 1
"""Of the content blocks of a logged turn; one of words alone is as it was before there were others."""


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
    withheld: bool | None = None
    """Whether it was said off the record; None where that was not read."""
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
