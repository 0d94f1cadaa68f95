"""``recall``: what bears on a question, best first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, Field

from apps.memory_api.endpoint import STORABLE, ApiAnswer, ApiCall, ApiRequest, Name, Reply, Text, endpoint
from apps.memory_api.versions import Quote
from apps.views.proof import Source, fetch_proofs
from brain.recall import TEXT_LIMIT, RecallRequest, RecallResult, recall
from memory.lanes import Lane
from memory.names import require_name
from memory.recall.policies.registry import find_policy
from memory.recall.policy import RankedCandidate
from memory.recall.query import MAX_LIMIT, CandidateRow, Filters, RecallIntent, Strategy
from memory.scope import session_id_of
from memory.zones import require_zone
from skills.memory import is_showable, period

Query = Annotated[
    str,
    Field(min_length=1, max_length=TEXT_LIMIT, pattern=r"\S", description="The question, in plain words."),
    STORABLE,
]
Time = AwareDatetime | None
Names = tuple[Name, ...]


class RecallQuestion(ApiRequest):
    """A question to memory, and what may answer it. What is left out is read from the question's own words."""

    query: Query
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many memories at most.")] = 10
    time_from: Annotated[Time, Field(description="Only what was said at that time or later.")] = None
    time_to: Annotated[Time, Field(description="Only what was said before that time.")] = None
    at: Annotated[Time, Field(description="When the question is asked; now when left out.")] = None
    as_of: Annotated[Time, Field(description="Recall what was believed at that time.")] = None
    time_zone: Annotated[Text, Field(description="IANA zone of the person who asks.")] = ""
    strategy: Annotated[Strategy, Field(description="Which legs search.")] = "auto"
    intent: Annotated[RecallIntent | None, Field(description="What kind of memory is wanted.")] = None
    lanes: Annotated[tuple[Lane, ...], Field(max_length=20, description="Only these lanes.")] = ()
    categories: Annotated[Names, Field(max_length=20, description="Only these categories.")] = ()
    speakers: Annotated[Names, Field(max_length=20, description="Only what these people said.")] = ()
    sessions: Annotated[Names, Field(max_length=20, description="Only these conversations, by name.")] = ()
    policy: Annotated[Text, Field(description="Ranking policy; the configured one when left out.")] = ""
    all: Annotated[bool, Field(description="Also what hardly bears on it, which no prompt would carry.")] = False
    evidence: Annotated[bool, Field(description="With the words behind each, verified now, and their session.")] = False


class RecalledMemory(ApiAnswer):
    """Something that is remembered. ``id`` is that of the memory, or of the turn that said it."""

    id: str
    lane: Lane
    text: str
    about: str = ""
    speaker: str
    role: str
    said_at: datetime
    score: float


class Span(ApiAnswer):
    """The words of a turn, in code points."""

    event_id: UUID
    start: int
    end: int


class Hit(RecalledMemory):
    """A memory, with ``evidence`` where it was asked for. ``signals``, which made its score, are for operators."""

    category: str
    span: Span | None
    session: str | None = None
    turn_id: str | None = None
    evidence: list[Quote] | None = None
    signals: dict[str, float] | None


class RecalledMemories(ApiAnswer):
    """Best first."""

    memories: list[Hit]


@endpoint("POST /recall", tool="recall", command="recall", example={"query": "Where does Ann live?", "limit": 5})
async def recall_memories(asked: RecallQuestion, call: ApiCall) -> Reply[RecalledMemories]:
    """Find memories that bear on a question, without a conversation.

    It searches facts, preferences, plans, conversations and documents; programs see no plain attacks in other voices.
    """
    policy = find_policy(asked.policy or call.resources.settings.ranking_policy)
    found = await recall(call.resources, call.scope, _request(asked, call), policy.name)
    chosen = found.ranked if asked.all else found.relevant
    shown = [each for each in chosen if not call.is_program or is_showable(each.candidate)]
    hits = [_hit(each, call) for each in shown]
    if asked.evidence:
        hits = await _add_evidence(hits, shown, call)
    return Reply(RecalledMemories(memories=hits), found.degraded, _trace(asked, found))


def recalled_memory(found: CandidateRow, score: float) -> RecalledMemory:
    """A row of the index as clients see it."""
    return RecalledMemory.model_validate(_fields(found, score))


def _request(asked: RecallQuestion, call: ApiCall) -> RecallRequest:
    sessions = tuple(session_id_of(call.scope, require_name("session", each)) for each in asked.sessions)
    return RecallRequest(
        text=asked.query,
        at=asked.at or call.resources.clock(),
        time_zone=require_zone(asked.time_zone or call.resources.settings.time_zone),
        as_of=asked.as_of,
        strategy=asked.strategy,
        intent=asked.intent,
        filters=Filters(
            lanes=asked.lanes,
            categories=asked.categories,
            speakers=asked.speakers,
            session_ids=sessions,
            observed=period(asked.time_from, asked.time_to),
        ),
        limit=asked.limit,
    )


def _hit(ranked: RankedCandidate, call: ApiCall) -> Hit:
    found = ranked.candidate
    start, end = found.span
    return Hit(
        **_fields(found, ranked.score),
        category=found.category,
        span=Span(event_id=found.turn_id, start=start, end=end) if found.lane == "turn" else None,
        signals={name: round(value, 4) for name, value in ranked.signals.items()} if call.is_operator else None,
    )


async def _add_evidence(hits: Sequence[Hit], ranked: Sequence[RankedCandidate], call: ApiCall) -> list[Hit]:
    rows = [each.candidate for each in ranked]
    proofs = await fetch_proofs(call.memory, call.scope, [_source(each) for each in rows])
    names = await call.memory.log.session_names(call.scope, [each.session_id for each in rows if each.session_id])
    return [
        hit.model_copy(
            update={
                "session": names.get(row.session_id) if row.session_id else None,
                "turn_id": next((proof.turn_id for proof in proofs[row.source_id] if proof.turn_id), None),
                "evidence": [Quote.model_validate(proof) for proof in proofs[row.source_id]],
            }
        )
        for hit, row in zip(hits, rows, strict=True)
    ]


def _source(found: CandidateRow) -> Source:
    return Source(found.source_id, found.lane, (found.event_id, *found.span) if found.event_id else None)


def _fields(found: CandidateRow, score: float) -> dict[str, Any]:
    return {
        "id": str(found.turn_id if found.lane == "turn" else found.source_id),
        "lane": found.lane,
        "text": found.text,
        "about": found.about,
        "speaker": found.speaker,
        "role": found.role,
        "said_at": found.observed_at,
        "score": round(score, 6),
    }


def _trace(asked: RecallQuestion, found: RecallResult) -> dict[str, Any]:
    return {
        "policy": found.policy,
        "queries": [asked.query],
        "candidates": [
            {"id": str(each.candidate.source_id), "lane": each.candidate.lane, "score": round(each.score, 6)}
            for each in found.ranked
        ],
        "stores_used": ["memory"],
    }
