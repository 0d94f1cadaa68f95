"""The recall statement's parameters and rows, so that a store only has to send the one and read the other."""

from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from memory.contracts import EpistemicType, Lane, ProvenanceLevel, Role
from memory.ranking.legs import LEADERS, LEG_REACH, REACH, legs_of
from memory.ranking.visible import keeps_history
from memory.recall_query import Candidate, CorpusStats, Features, Filters, RecallPass, RecallQuery
from memory.scope import Scope

_LOWEST, _HIGHEST = UUID(int=0), UUID(int=(1 << 128) - 1)


@dataclass(frozen=True, kw_only=True)
class RecallRow:
    """One row of the ``recall`` statement, as it comes."""

    source_id: UUID
    lane: Lane
    text: str
    user_id: UUID
    session_id: UUID | None
    position: int | None
    role: Role
    speaker: str
    category: str
    observed_at: datetime
    valid_at: datetime
    invalid_at: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    active: bool
    confidence: float
    provenance: ProvenanceLevel
    epistemic_type: EpistemicType | None
    verified: bool
    last_validated_at: datetime | None
    injected_count: int
    positive_count: int
    derived_from: list[UUID]
    lexical: float
    cosine: float | None
    vector: float
    coverage: float
    own: float
    before: float
    before_2: float
    after: float
    after_2: float
    replies: bool
    replied: bool
    asked: bool
    kin: float
    corpus_rows: int
    mean_length: float


def recall_parameters(scope: Scope, query: RecallQuery) -> dict[str, object]:
    """Every parameter of the ``recall`` statement; lists for arrays, None for "not asked"."""
    everyone = scope.is_group
    return {
        "tenant_id": scope.tenant_id,
        "scope": scope.key,
        "user_low": _LOWEST if everyone else scope.user_id,
        "user_high": _HIGHEST if everyone else scope.user_id,
        **_question(query),
        **_time(query),
        **_filters(query.filters),
    }


def recall_pass(query: RecallQuery, rows: list[RecallRow]) -> RecallPass:
    """The statement's rows as the pass that policies rank."""
    if not rows:
        return RecallPass(query=query)
    corpus = CorpusStats(rows=rows[0].corpus_rows, mean_length=rows[0].mean_length)
    return RecallPass(query=query, candidates=tuple(map(_candidate, rows)), corpus=corpus)


def _question(query: RecallQuery) -> dict[str, object]:
    question, legs = query.question, legs_of(query)
    return {
        "asked": sorted(set(question.terms)),
        "terms": list(question.terms),
        "parts_of_terms": list(question.parts_of_terms),
        "weights": list(question.weights),
        "parts": question.parts,
        "embedding": None if query.embedding is None else f"[{','.join(map(str, query.embedding))}]",
        "embedding_model": query.embedding_model,
        "lexical_weight": legs.lexical,
        "vector_weight": legs.vector,
        "reach": REACH,
        "leg_reach": LEG_REACH,
        "leaders": LEADERS,
    }


def _time(query: RecallQuery) -> dict[str, object]:
    cut = query.window if query.temporal_intent == "time_slice" else None
    return {
        "at": query.at,
        "as_of": query.as_of,
        "history": keeps_history(query),
        "slice_start": cut.start if cut else None,
        "slice_end": cut.end if cut else None,
    }


def _filters(filters: Filters) -> dict[str, object]:
    observed = filters.observed
    return {
        "lanes": list(filters.lanes) or None,
        "categories": list(filters.categories) or None,
        "speakers": list(filters.speakers) or None,
        "session_ids": list(filters.session_ids) or None,
        "observed_start": observed.start if observed else None,
        "observed_end": observed.end if observed else None,
        "confidence_min": filters.confidence_min,
        "verified_only": filters.verified_only,
    }


_FEATURES = tuple(field.name for field in fields(Features))
_CARRIED = tuple(field.name for field in fields(Candidate) if field.name not in ("features", "derived_from"))


def _candidate(row: RecallRow) -> Candidate:
    features = Features(**{name: getattr(row, name) for name in _FEATURES})
    carried = {name: getattr(row, name) for name in _CARRIED}
    return Candidate(**carried, derived_from=tuple(row.derived_from), features=features)
