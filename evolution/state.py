"""What flows from logged turns to memories. All of it is plain JSON, so that a killed worker finds it again."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, NotRequired, TypedDict

from pydantic import Field as Described

from brain.state import append_values, merge_unique
from language.kinds import Grounds
from memory.memory_item import EpistemicType, ItemType, ProvenanceLevel
from memory.turns import Event, Role

MAX_READ_CHARACTERS = 20_000
"""Characters of a turn that are looked at: who pastes a book states a few facts at its beginning, or none.

All of a batch is read without a pause; ten times as much of it would keep a worker from saying that it lives."""

MAX_MEMORY_CHARACTERS = 500
"""Characters of a memory; more is a document, not a fact."""

Source = Literal["model", "rules"]
Ending = Literal["", "change", "slip"]
"""Whether a statement says that something older is over (it was true until then), or never was."""
UNCLEAR = "absolutization_degraded"
"""A memory was written in words that need their conversation."""


class TurnRecord(TypedDict):
    """One logged turn. ``at`` is ISO 8601 with offset; ids are UUID text.

    ``text`` is cut at ``MAX_READ_CHARACTERS``; ``sha256`` is of all that was said.
    """

    event_id: str
    operation_id: str
    session_id: str
    role: Role
    speaker: str
    text: str
    sha256: str
    at: str
    time_zone: str


def to_logged_turn(event: Event, operation_id: str = "") -> TurnRecord:
    """A logged turn as it flows here."""
    return TurnRecord(
        event_id=str(event.event_id),
        operation_id=operation_id,
        session_id=str(event.session_id),
        role=event.role,
        speaker=event.speaker,
        text=event.text[:MAX_READ_CHARACTERS],
        sha256=event.sha256,
        at=event.occurred_at.isoformat(),
        time_zone=event.time_zone,
    )


class KnownMemory(TypedDict):
    """A memory that lives already and bears on what was said."""

    memory_id: str
    item_type: ItemType
    content: str
    subject: str
    predicate: str
    object: str
    negated: bool
    category: str
    epistemic_type: EpistemicType | None
    slot: str


class TurnPlace(TypedDict):
    """Words ``text[start:end]`` of a turn; ``sha256`` is that of the turn's whole text."""

    event_id: str
    start: int
    end: int
    sha256: str


class ExtractionCandidate(TypedDict):
    """One assertion on its way to memory, with the span ``text[start:end]`` of the one turn that proves it.

    ``ends`` says that it puts an end to something older. ``replaces`` quotes the old value that a correction takes
    back, ``replaces_memory`` is the id of the memory that held it; both may be empty.
    ``doubts`` are older memories, or keys of candidates before it, that may not hold any more since it was said.
    ``grounds`` tell why what it replaces does not hold beside it, ``over`` are the words of it that are over,
    ``instead`` what holds now. ``composed``: its words are those of an older statement with another value.
    Where its own words have no subject, they take it from the words at ``lead``.
    ``said_at`` is when its turn was said, ``spoke_before`` when its person had spoken last before that, ``valid_at``
    since when it holds, ``invalid_at`` until when by its own words.
    What is ``faint`` becomes a memory only where something known does not hold beside it.
    ``unresolved`` names the words that cannot be understood alone (absolutization gate);
    ``slot`` and ``single_valued`` are set by ``normalize``.
    """

    item_type: ItemType
    subject: str
    predicate: str
    object: str
    negated: bool
    content: str
    category: str
    epistemic_type: EpistemicType | None
    provenance: ProvenanceLevel
    confidence: float
    certainty: float
    valid_at: str
    event_id: str
    start: int
    end: int
    ends: Ending
    replaces: str
    replaces_memory: str
    source: Source
    unresolved: list[str]
    slot: str
    single_valued: bool
    said_at: NotRequired[str]
    invalid_at: NotRequired[str]
    doubts: NotRequired[list[str]]
    grounds: NotRequired[Grounds]
    composed: NotRequired[bool]
    faint: NotRequired[bool]
    spoke_before: NotRequired[str]
    lead: NotRequired[TurnPlace]
    over: NotRequired[str]
    instead: NotRequired[str]


def states_value(stated: KnownMemory | ExtractionCandidate) -> bool:
    """Whether a value stands under the predicate; a whole sentence stands under its topic, which is no predicate."""
    return stated["object"] != stated["content"]


def said_at(candidate: ExtractionCandidate) -> datetime:
    """When its turn was said; candidates of an older release tell only since when they hold, which was the same."""
    return datetime.fromisoformat(candidate.get("said_at", candidate["valid_at"]))


def holds_until(candidate: ExtractionCandidate) -> datetime | None:
    """The end that its own words tell."""
    told = candidate.get("invalid_at", "")
    return datetime.fromisoformat(told) if told else None


class PriorCandidate(KnownMemory):
    """A memory that was taken from one of these turns before, and the span that it rests on."""

    event_id: str
    start: int
    end: int


class DroppedCandidate(TypedDict):
    """What was not remembered, and the code of the reason."""

    content: str
    event_id: str
    reason: str


@dataclass(kw_only=True)
class EvolutionRequest:
    """All that a caller may put in: which conversation to look at. One of the two is enough."""

    session: Annotated[
        str, Described(description="The conversation: the id of its thread, or the name that its context gave it.")
    ] = ""
    session_id: Annotated[str, Described(description="Instead of a name, the id that Brain gave it.")] = ""


@dataclass(kw_only=True)
class EvolutionState(EvolutionRequest):
    """One session's unprocessed operations, from the log to versioned memories."""

    operations: list[str] = field(default_factory=list[str])
    said: list[TurnRecord] = field(default_factory=list[TurnRecord])
    before: list[TurnRecord] = field(default_factory=list[TurnRecord])
    """The turns right before ``said``: they explain references and prove nothing."""
    recalled: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By operation id, texts of the memories that stood in the prompt of that turn: repeating them is an echo."""
    known: list[KnownMemory] = field(default_factory=list[KnownMemory])
    drawn: list[PriorCandidate] = field(default_factory=list[PriorCandidate])
    """What these very turns left before: an earlier reading, or the corrections of this one."""
    unlike: list[str] = field(default_factory=list[str])
    """Operations of conversations that had other language models than this worker has."""
    judge: str = ""
    """The model that read the turns, or ``rules``; empty when there was nothing to read."""
    candidates: list[ExtractionCandidate] = field(default_factory=list[ExtractionCandidate])
    rounds: int = 0
    """How often the model was asked to make candidates understandable alone."""
    dropped: Annotated[list[DroppedCandidate], append_values] = field(default_factory=list[DroppedCandidate])
    written: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Memory ids by operation id."""
    noted: int = 0
    """How many entries the day's notes gained."""
    more: bool = False
    """Whether further operations of the session wait behind these."""
    without_model: str = ""
    """Why no model may be asked about this batch; empty when one may."""
    degraded: Annotated[list[str], merge_unique] = field(default_factory=list[str])
