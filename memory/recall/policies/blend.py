"""``blend@4``: normalised scores are added up, beside the turns around them, with few constants that mean something.

Measured on an English and a Chinese set; raw turns keep a neutral prior, so old evidence is not buried by its age.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from language.people import SPEAKER
from language.question_focus import read_focus
from language.questions import only_asks
from memory.frozen_dataclass import build_frozen
from memory.lanes import Lane
from memory.recall.cutoff import AnswerGate, Cutoff, Threshold
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, RecallIntent, RecallPass, RecallQuery, TimeWindow
from memory.recall.signals import confidence_effective, frequency_factor, question_confidence
from memory.recall.weights import NEXT_TURN, SECOND_TURN
from memory.turns import Role

NAME = "blend@4"

ANSWER = 0.4
"""What a question lends, on top, to a person's turn that answers it, to Brain's where Brain's are asked for."""
QUESTION = 0.8
"""A turn that only asks tells less than one that says; asking the same again must not find the asking. Among people
a question at the end hands over; who talks with an assistant puts facts into questions."""
NAMED_SPEAKER = 0.35
"""For turns of a speaker whom the question names."""
VOICE = 0.25
"""Share of its own score that a turn gains for being said by whom the question asks about: Brain, or the person."""
SESSION = 0.3
"""What the best turn of a talk lends to all of it. A session is a talk where one replied to another."""
KIN = 0.3
"""For saying what the best rows say beyond the question: they are about the same thing."""
IN_TIME = 0.25
"""For what was said, or held, in the time that the question is about; doubled by the temporal strategy."""
REWRITE = 0.5
"""A rewritten query against the user's own words."""
FACT_FLOOR = 0.8
"""What remains of a fact's score when nothing speaks for its confidence any more."""
LANES: Mapping[RecallIntent, Mapping[Lane, float]] = {
    "fact": {"fact": 1.1},
    "preference": {"fact": 1.2},
    "reasoning": {"summary": 1.1, "document": 1.1},
    "contextual": {"turn": 1.1, "summary": 1.1},
    "skill": {"document": 1.2},
}
"""Which lane an intent leans to, where the caller names one; all lanes are equal otherwise."""
CUT = Cutoff(
    words=AnswerGate(bias=0.0, personal=-1.4, known=0.9, general=-3.4, named=1.4, together=0.95, probability=0.4),
    meaning=AnswerGate(
        bias=-1.03,
        personal=0.28,
        known=-0.66,
        general=-2.63,
        named=0.46,
        together=0.23,
        cosine=3.13,
        chinese=-0.6,
        probability=0.3,
    ),
    few=30,
    many=60,
    strict=Threshold(best=0.03, share=0.3),
    lenient=Threshold(best=0.03, share=0.08),
    least=0.025,
)
"""What of the order is worth a place in a prompt; calibrated for the scores of this version."""

_CAPITALISED = re.compile(r"\b[A-Z][a-z]{2,}")
_ALIKE = 3
"""Letters that a name and its short form share."""

_Added = tuple[float, float, float, float, float, float, float, float]
"""What is added up, in this order: own score, before, after, answer, speaker, voice, kin, time."""


@dataclass(frozen=True)
class _QuestionContext:
    """What ranking has to know of a question beside its words."""

    query: RecallQuery
    speakers: frozenset[str]
    voice: Role | None


def order(passes: Sequence[RecallPass]) -> list[RankedCandidate]:
    """Each pass scored by itself; passes are averaged, the user's own words weighing twice a rewriting."""
    scored = [_score(each) for each in passes]
    ranked = scored[0] if len(scored) == 1 else _average_passes(scored)
    return sorted(ranked, key=lambda each: (-each.score, each.candidate.source_id.int))


def _average_passes(scored: Sequence[Sequence[RankedCandidate]]) -> list[RankedCandidate]:
    weights = [1.0, *(REWRITE for _ in scored[1:])]
    by_source = [{one.candidate.source_id: one for one in each} for each in scored]
    found = {source: one for each in reversed(by_source) for source, one in each.items()}
    return [replace(one, score=_mean(source, by_source, weights)) for source, one in found.items()]


def _mean(source: UUID, scored: Sequence[Mapping[UUID, RankedCandidate]], weights: Sequence[float]) -> float:
    total = sum(weight * each[source].score for weight, each in zip(weights, scored, strict=True) if source in each)
    return total / sum(weights)


def _score(each: RecallPass) -> list[RankedCandidate]:
    query = each.query
    reading = _QuestionContext(query, _speakers_in_question(each), _answering_role(query.text))
    alone = [_summands(one, reading) for one in each.candidates]
    sums = [sum(added) for added in alone]
    best = _best_by_session(each.candidates, sums)
    return [
        _rank_candidate(one, query, added, total, _session_bonus(one, best))
        for one, added, total in zip(each.candidates, alone, sums, strict=True)
    ]


def _summands(one: CandidateRow, reading: _QuestionContext) -> _Added:
    """What is added up for a row by itself."""
    window = reading.query.window
    # Turns of another speaker lend; notes of one person lend each other nothing.
    return (
        one.own,
        NEXT_TURN * one.before + SECOND_TURN * one.before_2 if one.replies else 0.0,
        NEXT_TURN * one.after + SECOND_TURN * one.after_2 if one.replied else 0.0,
        ANSWER * one.before if one.replies and one.asked and _may_answer(one, reading) else 0.0,
        NAMED_SPEAKER if one.lane == "turn" and one.speaker in reading.speakers else 0.0,
        VOICE * one.own if one.lane == "turn" and one.role == reading.voice else 0.0,
        KIN * one.kin,
        _time_bonus(one, reading.query, window) if window else 0.0,
    )


def _rank_candidate(
    one: CandidateRow, query: RecallQuery, added: _Added, total: float, session: float
) -> RankedCandidate:
    own, before, after, answer, speaker, voice, kin, time = added
    belief, statement = _belief_factor(one, query), _question_factor(one)
    lane = LANES[query.intent].get(one.lane, 1.0) if query.intent else 1.0
    signals = {
        "own": own,
        "before": before,
        "after": after,
        "answer": answer,
        "speaker": speaker,
        "voice": voice,
        "kin": kin,
        "time": time,
        "session": session,
        "belief": belief,
        "statement": statement,
        "lane": lane,
        "lexical": one.lexical,
        "vector": one.vector,
        "coverage": one.coverage,
    }
    score = (total + session) * belief * statement * lane
    return build_frozen(RankedCandidate, {"candidate": one, "score": score, "signals": signals})


def _best_by_session(candidates: Sequence[CandidateRow], sums: Iterable[float]) -> Mapping[int, float]:
    """What the best row of each talk adds up to."""
    best: dict[int, float] = {}
    talks = {one.session_id.int for one in candidates if one.session_id is not None and (one.replies or one.replied)}
    for one, total in zip(candidates, sums, strict=True):
        if one.session_id is not None and one.session_id.int in talks:
            session = one.session_id.int
            best[session] = max(best.get(session, 0.0), total)
    return best


def _session_bonus(one: CandidateRow, best: Mapping[int, float]) -> float:
    return 0.0 if one.session_id is None else SESSION * best.get(one.session_id.int, 0.0)


def _answering_role(question: str) -> Role | None:
    """Whose words answer: Brain's own when it is asked what it said, the person's when it is asked about them."""
    read = read_focus(question)
    if read.asks_assistant:
        return "assistant"
    return "user" if read.is_personal else None


def _speakers_in_question(each: RecallPass) -> frozenset[str]:
    """Speakers named in the question, unless all of them are: then the name tells nothing."""
    speakers = {one.speaker for one in each.candidates if one.lane == "turn" and one.speaker}
    said = each.query.text.casefold()
    named = {speaker for speaker in speakers if any(_is_word_in(name, said) for name in _names(speaker))}
    named |= _by_nickname(each.query.text, speakers - named)
    return frozenset(named if named < speakers else ())


def _by_nickname(question: str, speakers: set[str]) -> set[str]:
    """Tilly is Tilde and Des is Desmond, where nobody else begins like that; Anna is not Ann."""
    found = set[str]()
    for word in _CAPITALISED.findall(question):
        alike = [speaker for speaker in speakers if _is_short_for(word.casefold(), speaker.casefold())]
        found.update(alike if len(alike) == 1 else ())
    return found


def _is_short_for(word: str, speaker: str) -> bool:
    first = speaker.split()[0]
    return first[:_ALIKE] == word[:_ALIKE] and not word.startswith(first)


def _names(speaker: str) -> list[str]:
    """The whole name and its longer parts: "Caroline" is enough for "Caroline Smith"."""
    whole = speaker.casefold()
    return [whole, *(part for part in whole.split() if len(part) > 2)]


def _is_word_in(name: str, said: str) -> bool:
    """As a word of its own in an alphabet; Chinese has no gaps between words."""
    return name in said and re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", said) is not None


def _time_bonus(one: CandidateRow, query: RecallQuery, window: TimeWindow) -> float:
    start, end = window.start, window.end
    held = one.lane == "fact" and one.valid_at < end and (one.invalid_at is None or one.invalid_at > start)
    boost = IN_TIME * (2.0 if query.strategy == "temporal" else 1.0)
    return boost if held or start <= one.observed_at < end else 0.0


def _belief_factor(one: CandidateRow, query: RecallQuery) -> float:
    """1 for what was said and still holds; a derived memory is moved by how well founded and how welcome it is."""
    if one.lane != "fact":
        return question_confidence(one, query)
    return (FACT_FLOOR + (1 - FACT_FLOOR) * confidence_effective(one, query)) * frequency_factor(one)


def _may_answer(one: CandidateRow, reading: _QuestionContext) -> bool:
    """What an assistant replies to a question is an answer only to those who ask for the assistant's own words."""
    return one.role == "user" or reading.voice == "assistant"


def _question_factor(one: CandidateRow) -> float:
    if one.lane != "turn" or not one.text.rstrip().endswith(("?", "？")):
        return 1.0
    return QUESTION if one.speaker != SPEAKER or only_asks(one.text) else 1.0
