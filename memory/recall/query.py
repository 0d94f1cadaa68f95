"""What can be asked of recall, and what comes back before ranking.

All values are frozen and typed; free text reaches a statement only as a parameter.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from language.questions import LexicalQuestion
from language.times import TemporalIntent
from memory.errors import bad_request
from memory.index_rows import Searchable
from memory.lanes import Lane

Strategy = Literal["auto", "exact", "semantic", "temporal", "hybrid"]
RecallIntent = Literal["fact", "reasoning", "contextual", "preference", "skill"]

NO_MODEL = "none"
MAX_LIMIT = 200


@dataclass(frozen=True, kw_only=True)
class TimeWindow:
    """Half open ``[start, end)``; both aware."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        """Refuse naive or reversed times here, where the message can still name them."""
        if self.start.tzinfo is None or self.end.tzinfo is None or self.end <= self.start:
            raise bad_request(f"A time window needs aware times with start before end, not {self.start} to {self.end}.")


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What may be recalled at all; an empty tuple means "any". ``observed`` bounds when it was said."""

    lanes: tuple[Lane, ...] = ()
    categories: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    session_ids: tuple[UUID, ...] = ()
    observed: TimeWindow | None = None
    confidence_min: float = 0.0
    verified_only: bool = False


ANYTHING = Filters()
"""Filters that let everything through."""


@dataclass(frozen=True, kw_only=True)
class RecallQuery:
    """One retrieval pass. ``at`` is when the question is asked; ``as_of`` reads what was believed at that moment.

    ``apart_from`` are turns that are not looked at: the words that ask. ``window`` is the time the question is about:
    it boosts what was said then, and under ``time_slice`` it also drops facts that did not hold then. ``embedding`` may
    be None (lexical only); it counts for rows of ``embedding_model``. ``vector_weight`` is what the best vector counts
    against the best words, where it was measured for this model and language. ``wide`` brings a pool for a reranker.
    """

    text: str
    question: LexicalQuestion
    at: datetime
    time_zone: str = "UTC"
    embedding: tuple[float, ...] | None = None
    embedding_model: str = NO_MODEL
    vector_weight: float | None = None
    wide: bool = False
    temporal_intent: TemporalIntent = "current_state"
    window: TimeWindow | None = None
    as_of: datetime | None = None
    intent: RecallIntent | None = None
    strategy: Strategy = "auto"
    filters: Filters = ANYTHING
    apart_from: tuple[UUID, ...] = ()
    limit: int = 20

    def __post_init__(self) -> None:
        """Refuse what no pass can answer."""
        if self.at.tzinfo is None or (self.as_of is not None and self.as_of.tzinfo is None):
            raise bad_request("A recall needs aware times.", "Attach the user's time zone.")
        if not 1 <= self.limit <= MAX_LIMIT:
            raise bad_request(f"A recall returns 1 to {MAX_LIMIT} memories, not {self.limit}.")


@dataclass(frozen=True, kw_only=True)
class Features:
    """How one row answers one question.

    ``lexical`` (averaged over sub-questions) and ``vector`` are shares of the best row's score (0..1); ``own`` is their
    weighted sum. ``coverage`` is the share of the question's rarity-weighted words that the row contains: unlike the
    shares it needs no other row, so it can be held against a threshold. ``before``/``after`` are the ``own`` scores of
    the turns one and two steps away in the same session; ``replies``/``replied`` say that the turn before/after is
    another speaker's, ``asked`` that the turn before asks something. ``kin`` is how much of what a leading row says
    beyond the question this row says too, times that leader's share of the best ``own``.
    """

    lexical: float = 0.0
    cosine: float | None = None
    vector: float = 0.0
    coverage: float = 0.0
    own: float = 0.0
    before: float = 0.0
    before_2: float = 0.0
    after: float = 0.0
    after_2: float = 0.0
    replies: bool = False
    replied: bool = False
    asked: bool = False
    kin: float = 0.0


@dataclass(frozen=True, kw_only=True)
class CandidateRow(Features, Searchable):
    """A row that a pass brought, with everything ranking and explanation need."""


@dataclass(frozen=True, kw_only=True)
class CorpusStats:
    """The person's own rows that the pass looked at: how many, and their mean length in words."""

    rows: int = 0
    mean_length: float = 0.0


ReadSource = Literal["primary", "copy", "primary_copy_lags", "primary_copy_away"]
"""Which database answered, and why it was the primary although there is a copy to ask."""


@dataclass(frozen=True, kw_only=True)
class RecallPass:
    """One query and what it brought, best reach first. ``latency_ms`` includes making the query's vector."""

    query: RecallQuery
    latency_ms: float = 0.0
    read_from: ReadSource = "primary"
    candidates: tuple[CandidateRow, ...] = ()
    corpus: CorpusStats = field(default_factory=CorpusStats)
