"""The factors of the documented reranking formula (Brain + Memory Core, Step 1.3 and 2.3.2.4)."""

from datetime import datetime

from memory.memory_item import ProvenanceLevel
from memory.recall.cache.visibility import is_about_now
from memory.recall.query import CandidateRow, RecallQuery

PROVENANCE_WEIGHT: dict[ProvenanceLevel, float] = {"observation": 0.6, "analysis": 0.8, "confirmed_by_user": 1.0}

_RECENCY = ((7, 1.2), (30, 1.0), (90, 0.8))
_OLD = 0.6
_DECAY = ((30, 1.0), (90, 0.85), (180, 0.6))
_STALE = 0.3
_MIN_INJECTIONS = 5


def recency_boost(candidate: CandidateRow, at: datetime) -> float:
    """1.2 in the first week, 1.0 to 30 days, 0.8 to 90, then 0.6."""
    return _step_value(_RECENCY, _days(candidate.observed_at, at), _OLD)


def confidence_effective(candidate: CandidateRow, query: RecallQuery) -> float:
    """Confidence times its decay since the last validation: 1.0 to 30 days, 0.85 to 90, 0.6 to 180, then 0.3."""
    validated = candidate.last_validated_at or candidate.observed_at
    return question_confidence(candidate, query) * decay_factor(_days(validated, query.at))


def question_confidence(candidate: CandidateRow, query: RecallQuery) -> float:
    """How far it is believed for what is asked: about the past, a turn is as good as ever, whatever came after it."""
    return candidate.confidence if candidate.lane != "turn" or is_about_now(query) else 1.0


def decay_factor(days: float) -> float:
    """What remains of a confidence so many days after the last validation."""
    return _step_value(_DECAY, days, _STALE)


def frequency_factor(candidate: CandidateRow) -> float:
    """After five injections: 1.1 when over 70 % were welcome, 0.7 when under 30 %; else 1.0."""
    if candidate.injected_count < _MIN_INJECTIONS:
        return 1.0
    welcome = candidate.positive_count / candidate.injected_count
    return 1.1 if welcome > 0.7 else 0.7 if welcome < 0.3 else 1.0


def _days(since: datetime, at: datetime) -> float:
    return (at - since).total_seconds() / 86_400


def _step_value(steps: tuple[tuple[int, float], ...], days: float, beyond: float) -> float:
    return next((value for limit, value in steps if days <= limit), beyond)
