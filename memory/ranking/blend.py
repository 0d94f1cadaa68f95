"""``blend@1``: normalised scores added up, in the company of the turns around, with few constants that mean something.

Measured on an English and a Chinese set; raw turns keep a neutral prior, so old evidence is not buried by its age.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.ranking.ranked import Ranked
from memory.ranking.signals import confidence_effective, frequency_factor
from memory.recall_query import Candidate, RecallPass, RecallQuery

NAME = "blend@1"

NEXT_TURN = 0.2
"""What the turn before and the turn after lend to a turn."""
SECOND_TURN = 0.1
MONOLOGUE = 0.25
"""How much of that holds between two turns of the same speaker: they are no question and reply."""
ANSWER = 0.4
"""What a question lends, on top, to the turn that answers it."""
NAMED_SPEAKER = 0.5
"""For turns of a speaker whom the question names."""
SESSION = 0.3
"""What the best turn of a session lends to all of it."""
IN_TIME = 0.25
"""For what was said, or held, in the time that the question is about; doubled by the temporal strategy."""
REWRITE_WEIGHT = 0.5
"""A rewritten query against the user's own words."""
KIN = 0.3
"""For saying what the best rows say beyond the question: they are about the same thing."""


@dataclass(frozen=True)
class _Believed:
    """How far a derived memory's own quality moves its score: from ``floor`` up to 1."""

    floor: float


_FACT = _Believed(floor=0.8)


def order(passes: Sequence[RecallPass]) -> list[Ranked]:
    """Each pass scored by itself; passes are averaged, the user's own words weighing twice a rewriting."""
    weights = [1.0, *(REWRITE_WEIGHT for _ in passes[1:])]
    scored = [_score(each) for each in passes]
    found = {one.candidate.source_id: one for each in reversed(scored) for one in each.values()}
    ranked = [
        Ranked(candidate=one.candidate, score=_mean(source, scored, weights), signals=one.signals)
        for source, one in found.items()
    ]
    return sorted(ranked, key=lambda each: (-each.score, each.candidate.source_id))


def _mean(source: UUID, scored: Sequence[Mapping[UUID, Ranked]], weights: Sequence[float]) -> float:
    total = sum(weight * each[source].score for weight, each in zip(weights, scored, strict=True) if source in each)
    return total / sum(weights)


def _score(each: RecallPass) -> Mapping[UUID, Ranked]:
    named = _named_speakers(each)
    alone = {one.source_id: _signals(one, each.query, named) for one in each.candidates}
    best = _best_of_sessions(each.candidates, alone)
    return {one.source_id: _ranked(one, each.query, alone[one.source_id], best) for one in each.candidates}


def _signals(one: Candidate, query: RecallQuery, named: frozenset[str]) -> dict[str, float]:
    before = 1.0 if one.replies else MONOLOGUE
    after = 1.0 if one.replied else MONOLOGUE
    return {
        "own": one.own,
        "before": before * (NEXT_TURN * one.before + SECOND_TURN * one.before_2),
        "after": after * (NEXT_TURN * one.after + SECOND_TURN * one.after_2),
        "answer": ANSWER * before * one.before if one.asked else 0.0,
        "speaker": NAMED_SPEAKER if one.lane == "turn" and one.speaker in named else 0.0,
        "kin": KIN * one.kin,
        "time": _in_time(one, query),
    }


def _ranked(one: Candidate, query: RecallQuery, alone: Mapping[str, float], best: Mapping[UUID, float]) -> Ranked:
    session = SESSION * best[one.session_id] if one.session_id is not None else 0.0
    believed = _belief(one, query)
    legs = {"lexical": one.lexical, "vector": one.vector}
    signals = {**alone, "session": session, "belief": believed, "coverage": one.coverage, **legs}
    return Ranked(candidate=one, score=(sum(alone.values()) + session) * believed, signals=signals)


def _best_of_sessions(
    candidates: Iterable[Candidate], alone: Mapping[UUID, Mapping[str, float]]
) -> Mapping[UUID, float]:
    best: dict[UUID, float] = {}
    for one in candidates:
        if one.session_id is not None:
            best[one.session_id] = max(best.get(one.session_id, 0.0), sum(alone[one.source_id].values()))
    return best


def _named_speakers(each: RecallPass) -> frozenset[str]:
    """Speakers named in the question, unless all of them are: then the name tells nothing."""
    speakers = {one.speaker for one in each.candidates if one.lane == "turn" and one.speaker}
    asked = each.query.text.casefold()
    named = {speaker for speaker in speakers if re.search(rf"(?<!\w){re.escape(speaker.casefold())}(?!\w)", asked)}
    return frozenset(named if named < speakers else ())


def _in_time(one: Candidate, query: RecallQuery) -> float:
    if query.window is None:
        return 0.0
    start, end = query.window.start, query.window.end
    held = one.lane == "fact" and one.valid_at < end and (one.invalid_at is None or one.invalid_at > start)
    boost = IN_TIME * (2.0 if query.strategy == "temporal" else 1.0)
    return boost if held or start <= one.observed_at < end else 0.0


def _belief(one: Candidate, query: RecallQuery) -> float:
    """1 for what was said; a derived memory is moved by how well founded and how welcome it is."""
    if one.lane != "fact":
        return 1.0
    trusted = _FACT.floor + (1 - _FACT.floor) * confidence_effective(one, query.at)
    return trusted * frequency_factor(one)
