"""What becomes a row of the recall index: turns as they are logged, memories as they change."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

from language.passages import Passage, cut_passages
from language.secrets import mask_secrets
from language.terms import Terms, analyse
from memory.embedding import is_encoder
from memory.lanes import Lane
from memory.memory_item import EpistemicType, MemoryItem, ProvenanceLevel
from memory.partial_endings import parts_over
from memory.provenance import CAPS, COMPOSED, REWORDED, SPEAKER, events_of, is_doubted, is_own_word, provenance_level
from memory.scope import Scope
from memory.turns import Event, Role, Utterance
from memory.zones import local_day

STATEMENT_SPEAKER = "user"
"""Who said a memory that is a person's own sentence; what was concluded from their words, nobody said."""
DOUBTED_CONFIDENCE = 0.3
"""How far a memory is still believed while its evidence does not match, or something newer leaves it in doubt."""

IN_DOUBT = "in doubt"
"""The note of a memory that something newer leaves in doubt."""

DERIVED_CONFIDENCE = CAPS["analysis"]
"""Text that was made of other text, summaries and documents, is as far to be believed as an analysis."""

Standing = Literal["holds", "partly", "over"]
"""What became of the memories that were taken from a turn."""
STANDING_CONFIDENCE: Mapping[Standing, float] = {"holds": 1.0, "partly": 0.6, "over": 0.3}
"""How far a turn is still believed about the present, by its standing."""


@dataclass(frozen=True, kw_only=True)
class Searchable:
    """One searchable thing: what of it decides whether it may be seen, and what is shown; ``position`` is the log's.

    A passage of a long turn has the turn's ``event_id`` and its place in the turn's text, ``span_start`` to
    ``span_end`` in code points, and is ``about`` the headings it stands under there. ``about`` of a memory tells that
    it is in doubt, or which part of it is over.
    """

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
    event_id: UUID | None = None
    span_start: int | None = None
    span_end: int | None = None
    about: str = ""
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

    @property
    def turn_id(self) -> UUID:
        """The logged turn that a row of the lane ``turn`` is, or is a passage of; any other row's own id."""
        return self.event_id or self.source_id

    @property
    def span(self) -> tuple[int, int]:
        """Where the text stands in what it was made of, in code points."""
        if self.span_start is None or self.span_end is None:
            return 0, len(self.text)
        return self.span_start, self.span_end


@dataclass(frozen=True, kw_only=True)
class IndexRow(Searchable):
    """A row of ``recall_index``: a searchable thing, whose it is, and by what it is found."""

    user_id: UUID
    terms: Terms
    embedding_model: str = "none"
    embedding: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class UnembeddedRow:
    """A row that waits for its vector; a fact with its category and the person it is about.

    ``event_id`` and ``about`` are those of a passage.
    """

    source_id: UUID
    lane: Lane
    speaker: str
    text: str
    observed_at: datetime
    category: str = ""
    subject: str = ""
    event_id: UUID | None = None
    about: str = ""


def to_unembedded(row: IndexRow, subject: str = "") -> UnembeddedRow:
    """A row as something to be embedded; ``subject`` is whom a fact is about."""
    return UnembeddedRow(
        source_id=row.source_id,
        lane=row.lane,
        speaker=row.speaker,
        text=row.text,
        observed_at=row.observed_at,
        category=row.category,
        subject=subject,
        event_id=row.event_id,
        about=row.about,
    )


def embedding_text(row: UnembeddedRow, model: str) -> str:
    """What is embedded: who spoke and what they said; a fact after its category, subject and month (S0 2.3.0.1).

    A passage, which stands without the rest of its turn, comes with its day and what it is about. The encoder reads
    sentences: names of speakers and dates blur what they say (recall@10 among friends 82.6 with them, 86.4 without).
    """
    speaker = "" if is_encoder(model) else row.speaker
    if row.event_id is not None:
        about = f"{row.about}\n" if row.about else ""
        return f"{speaker}, {row.observed_at:%Y-%m-%d}: {about}{row.text}" if speaker else f"{about}{row.text}"
    if row.lane == "turn":
        return f"{speaker}: {row.text}" if speaker else row.text
    if row.lane != "fact" or not row.subject:
        return row.text
    context = (row.category.replace("_", " "), row.subject, f"{row.observed_at:%Y-%m}")
    return f"[{'/'.join(each for each in context if each)}] {row.text}"


def rows_of_utterance(scope: Scope, session_id: UUID, said: Utterance, position: int | None = None) -> list[IndexRow]:
    """A turn by its words, its speaker and its day in the speaker's own zone; a long one as its passages.

    Secrets in it are masked.
    """
    passages = cut_passages(said.text)
    if len(passages) == 1:
        return [_row_of_turn(scope, session_id, said, position)]
    whole = _row_of_turn(scope, session_id, replace(said, text=""), position)
    return [_row_of_passage(whole, said, passage) for passage in passages]


def passage_id(event_id: UUID, start: int, end: int) -> UUID:
    """The id of a passage's row: of its turn and its place there."""
    return uuid5(event_id, f"{start}:{end}")


def _row_of_passage(whole: IndexRow, said: Utterance, passage: Passage) -> IndexRow:
    text, about = mask_secrets(said.text[passage.start : passage.end]), mask_secrets(passage.about)
    day = local_day(said.occurred_at, said.time_zone)
    return replace(
        whole,
        source_id=passage_id(said.event_id, passage.start, passage.end),
        text=text,
        terms=analyse(f"{about} {text}", speaker=said.speaker, on=day),
        event_id=said.event_id,
        span_start=passage.start,
        span_end=passage.end,
        about=about,
    )


def _row_of_turn(scope: Scope, session_id: UUID, said: Utterance, position: int | None) -> IndexRow:
    text = mask_secrets(said.text)
    return IndexRow(
        source_id=said.event_id,
        lane="turn",
        user_id=scope.user_id,
        session_id=session_id,
        role=said.role,
        speaker=said.speaker,
        category="",
        text=text,
        position=position,
        terms=analyse(text, speaker=said.speaker, on=local_day(said.occurred_at, said.time_zone)),
        observed_at=said.occurred_at,
        valid_at=said.occurred_at,
        recorded_at=said.occurred_at,
    )


def rows_of_event(scope: Scope, event: Event) -> list[IndexRow]:
    """A logged turn as it was indexed when it was said."""
    said = Utterance(
        event_id=event.event_id,
        role=event.role,
        speaker=event.speaker,
        text=event.text,
        occurred_at=event.occurred_at,
        time_zone=event.time_zone,
        reference=event.reference,
    )
    return rows_of_utterance(scope, event.session_id, said, event.position)


def is_statement(item: MemoryItem) -> bool:
    """Whether a memory is a sentence as it was said: it cites its turn, and its object is the sentence."""
    return item.object == item.content and bool(events_of(item)) and not is_reworded(item)


def is_reworded(item: MemoryItem) -> bool:
    """Whether nobody said it in these words: a person or a correction gave it others than its turns have."""
    return REWORDED in item.provenance or COMPOSED in item.provenance


def speaker_of(item: MemoryItem) -> str:
    """Who said the memory in these words; empty for what was concluded or worded by somebody else."""
    said_by = "" if is_reworded(item) else str(item.provenance.get(SPEAKER, ""))
    return said_by or (STATEMENT_SPEAKER if is_statement(item) else "")


def note_of(item: MemoryItem) -> str:
    """What is to be known beside the words of a living memory: that it is in doubt, or which part of it is over."""
    if item.status != "active":
        return ""
    if is_doubted(item):
        return IN_DOUBT
    return "; ".join(note_over(part.over, part.instead) for part in parts_over(item))


def note_over(over: str, instead: str) -> str:
    """What stands beside words of which one part is over."""
    return f"no longer so: {_bare(over)}; now: {_bare(instead)}" if instead else f"no longer so: {_bare(over)}"


def _bare(words: str) -> str:
    return re.sub(r"[()\s]+", " ", words).strip(" .。;；")


def current_confidence(item: MemoryItem) -> float:
    """How far a memory is believed about the present."""
    return item.confidence * (DOUBTED_CONFIDENCE if item.stale or is_doubted(item) else 1.0)


def row_of_item(item: MemoryItem, at: datetime) -> IndexRow:
    """A memory, with the triple's own words beside its content; inactive ones stay for history and for "as of"."""
    active, text = item.status == "active" or item.goes_on_after(at), mask_secrets(item.content)
    return IndexRow(
        source_id=item.memory_id,
        lane="fact",
        user_id=item.user_id,
        session_id=item.source_sessions[-1] if item.source_sessions else None,
        role="user" if is_own_word(item) else "tool",
        speaker=speaker_of(item),
        category=item.category,
        text=text,
        about=mask_secrets(note_of(item)),
        terms=analyse(f"{text} {item.category} {item.predicate}"),
        observed_at=item.observed_at,
        valid_at=item.valid_at,
        recorded_at=item.created_at,
        invalid_at=item.invalid_at,
        retired_at=None if active else at,
        active=active,
        confidence=current_confidence(item),
        provenance=provenance_level(item),
        epistemic_type=item.epistemic_type,
        verified=not item.stale,
        last_validated_at=item.last_validated_at,
        derived_from=tuple(UUID(event) for event in events_of(item)),
    )
