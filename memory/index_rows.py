"""What becomes a row of the recall index: turns as they are logged, memories as they change."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from language.terms import Terms, analyse
from memory.contracts import EpistemicType, Lane, MemoryItem, ProvenanceLevel, Role, Utterance
from memory.revision import CAPS, events_of, provenance_level
from memory.scope import Scope
from memory.zones import local_day

FACT_SPEAKER = "user"
STALE_CONFIDENCE = 0.3
"""How far a memory is still believed in ranking while its evidence does not match."""

DERIVED_CONFIDENCE = CAPS["analysis"]
"""Text that was made of other text, summaries and documents, is as far to be believed as an analysis."""

Standing = Literal["holds", "partly", "over"]
"""What became of the memories that were taken from a turn."""
STANDING_CONFIDENCE: Mapping[Standing, float] = {"holds": 1.0, "partly": 0.6, "over": 0.3}
"""How far a turn is still believed about the present, by its standing."""


@dataclass(frozen=True, kw_only=True)
class Searchable:
    """One searchable thing: what of it decides whether it may be seen, and what is shown; ``position`` is the log's."""

    source_id: UUID
    lane: Lane
    session_id: UUID | None
    role: Role
    speaker: str
    category: str
    text: str
    observed_at: datetime
    valid_at: datetime
    recorded_at: datetime
    position: int | None = None
    invalid_at: datetime | None = None
    retired_at: datetime | None = None
    active: bool = True
    confidence: float = 1.0
    provenance: ProvenanceLevel = "observation"
    epistemic_type: EpistemicType | None = None
    verified: bool = True
    last_validated_at: datetime | None = None
    injected_count: int = 0
    positive_count: int = 0
    derived_from: tuple[UUID, ...] = ()

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists; a frozen value holds a tuple."""
        object.__setattr__(self, "derived_from", tuple(self.derived_from))


@dataclass(frozen=True, kw_only=True)
class IndexRow(Searchable):
    """A row of ``recall_index``: a searchable thing, whose it is, and by what it is found."""

    user_id: UUID
    terms: Terms
    embedding_model: str = "none"
    embedding: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Unembedded:
    """A row that waits for its vector; a fact with the shelf it stands on and the person it is about."""

    source_id: UUID
    lane: Lane
    speaker: str
    text: str
    observed_at: datetime
    category: str = ""
    subject: str = ""


def embedding_text(row: Unembedded) -> str:
    """What is embedded: who spoke and what they said; a fact after its shelf, subject and month (S0 2.3.0.1)."""
    if row.lane == "turn":
        return f"{row.speaker}: {row.text}"
    if row.lane != "fact" or not row.subject:
        return row.text
    context = (row.category.replace("_", " "), row.subject, f"{row.observed_at:%Y-%m}")
    return f"[{'/'.join(each for each in context if each)}] {row.text}"


def row_of_utterance(scope: Scope, session_id: UUID, said: Utterance) -> IndexRow:
    """A turn is found by its words, its speaker and its day in the speaker's own zone."""
    return IndexRow(
        source_id=said.event_id,
        lane="turn",
        user_id=scope.user_id,
        session_id=session_id,
        role=said.role,
        speaker=said.speaker,
        category="",
        text=said.text,
        terms=analyse(said.text, speaker=said.speaker, on=local_day(said.occurred_at, said.time_zone)),
        observed_at=said.occurred_at,
        valid_at=said.occurred_at,
        recorded_at=said.occurred_at,
    )


def weighed(turn: IndexRow, standing: Standing) -> IndexRow:
    """The row of a turn by what became of what it says."""
    told: EpistemicType | None = "outdated" if standing == "over" else None
    return replace(turn, confidence=STANDING_CONFIDENCE[standing], epistemic_type=told)


def row_of_item(item: MemoryItem, at: datetime) -> IndexRow:
    """A memory, with the triple's own words beside its content; inactive ones stay for history and for "as of"."""
    active = item.status == "active"
    return IndexRow(
        source_id=item.memory_id,
        lane="fact",
        user_id=item.user_id,
        session_id=item.source_sessions[-1] if item.source_sessions else None,
        role="user",
        speaker=FACT_SPEAKER,
        category=item.category,
        text=item.content,
        terms=analyse(f"{item.content} {item.category} {item.predicate}"),
        observed_at=item.observed_at,
        valid_at=item.valid_at,
        recorded_at=item.created_at,
        invalid_at=item.invalid_at,
        retired_at=None if active else at,
        active=active,
        confidence=item.confidence * (STALE_CONFIDENCE if item.stale else 1.0),
        provenance=provenance_level(item),
        epistemic_type=item.epistemic_type,
        verified=not item.stale,
        last_validated_at=item.last_validated_at,
        derived_from=tuple(UUID(event) for event in events_of(item)),
    )
