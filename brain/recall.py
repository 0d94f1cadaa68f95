"""Finding memories again: the retrieval of a turn, of a tool and of the command line are this one."""

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from uuid import UUID

from brain.embeddings.serving import with_serving_embedder
from brain.reranking.rerank import rerank_pool
from brain.resources import Resources
from brain.state import TurnInfo
from brain.vector_caches import weight_for
from language.questions import analyse_question
from language.secrets import mask_secrets
from language.times import find_times, temporal_intent
from memory.embedding import LoadedBehind, can_read
from memory.errors import BrainError
from memory.recall.policies.registry import find_policy, rank
from memory.recall.policy import RankedCandidate
from memory.recall.query import (
    ANYTHING,
    CandidateRow,
    Filters,
    RecallIntent,
    RecallPass,
    RecallQuery,
    Strategy,
    TemporalIntent,
    TimeWindow,
)
from memory.recall.weights import HYBRID
from memory.scope import Scope
from memory.zones import require_zone

TEXT_LIMIT = 4_000
"""Characters of a query that are read; who pastes a book asks about its beginning."""


@dataclass(frozen=True, kw_only=True)
class RecallRequest:
    """A question to memory. What is left open is read from the question's own words.

    ``vector_weight`` tries out what vectors would count; without it they count what was measured.
    """

    text: str
    at: datetime
    time_zone: str = "UTC"
    as_of: datetime | None = None
    strategy: Strategy = "auto"
    intent: RecallIntent | None = None
    temporal: TemporalIntent | None = None
    filters: Filters = ANYTHING
    apart_from: tuple[UUID, ...] = ()
    limit: int = 20
    vector_weight: float | None = None

    @classmethod
    def of_turn(cls, text: str, turn: TurnInfo, as_of: datetime | None = None) -> "RecallRequest":
        """The question as it was put in a turn, at that turn's own time and place; the turn itself is no answer."""
        own, at = tuple(UUID(each) for each in turn["own"]), datetime.fromisoformat(turn["at"])
        return cls(text=text, at=at, time_zone=turn["time_zone"], as_of=as_of, apart_from=own)


@dataclass(frozen=True)
class SearchResult:
    """One pass, and what it had to do without."""

    candidates: RecallPass
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecallResult:
    """Ranked memories with the policy that ranked them; ``relevant`` are those above its cut for searches."""

    ranked: list[RankedCandidate]
    relevant: list[RankedCandidate]
    policy: str
    degraded: tuple[str, ...]


async def search(resources: Resources, scope: Scope, question: RecallRequest) -> SearchResult:
    """One retrieval pass. Without an embedding in time it goes on with words alone, and says so."""
    started = perf_counter()
    found = await _run_search(resources, scope, question)
    resources.recall_reads[found.candidates.read_from] += 1
    took = (perf_counter() - started) * 1000
    shown = tuple(_mask_candidate(each) for each in found.candidates.candidates)
    return replace(found, candidates=replace(found.candidates, latency_ms=round(took, 3), candidates=shown))


def _mask_candidate(candidate: CandidateRow) -> CandidateRow:
    """Rows that were indexed before secrets were masked are masked on their way out."""
    text = mask_secrets(candidate.text)
    return candidate if text == candidate.text else replace(candidate, text=text)


async def _run_search(resources: Resources, scope: Scope, question: RecallRequest) -> SearchResult:
    resources = await with_serving_embedder(resources, scope)
    query = replace(query_of(question), wide=resources.has_reranker)
    weight = await _resolve_vector_weight(resources, scope, question)
    if weight:
        return await _search_with_vector(resources, scope, replace(query, vector_weight=weight))
    found = SearchResult(await resources.memory.index.candidates(scope, query))
    if found.candidates.candidates or not _can_fall_back(resources, question):
        return found
    return await _search_with_vector(resources, scope, replace(query, vector_weight=HYBRID.vector))


def _can_fall_back(resources: Resources, question: RecallRequest) -> bool:
    """Whether vectors that are worth nothing beside words may answer where words find nothing."""
    if resources.embedder is None or question.strategy == "exact" or question.vector_weight is not None:
        return False
    return can_read(resources.embedder.name, question.text)


async def _search_with_vector(resources: Resources, scope: Scope, query: RecallQuery) -> SearchResult:
    """A pass with the question's vector, or by words alone where there is none to compare."""
    assert resources.embedder is not None
    index = resources.memory.index
    if isinstance(resources.embedder, LoadedBehind) and not resources.embedder.is_ready:
        return SearchResult(await index.candidates(scope, query), ("embedder_loading",))
    embedding = await embed_question(resources, query.text)
    if embedding is None:
        return SearchResult(await index.candidates(scope, query), ("embedder_unavailable",))
    asked = replace(query, embedding=embedding, embedding_model=resources.embedder.name)
    try:
        found = await index.candidates(scope, asked)
    except BrainError as error:
        if error.code != "E_DIM_MISMATCH":
            raise
        return SearchResult(await index.candidates(scope, query), ("pgvector_unavailable",))
    if not _is_missing_vectors(found):
        return SearchResult(found)
    words_alone = query.strategy == "semantic"
    return SearchResult(await index.candidates(scope, query) if words_alone else found, ("embeddings_incomplete",))


async def recall(resources: Resources, scope: Scope, question: RecallRequest, policy: str = "") -> RecallResult:
    """Search, rank and, where a cross-encoder is configured, read again: the best ``question.limit`` memories."""
    chosen = find_policy(policy or resources.settings.ranking_policy)
    found = await search(resources, scope, question)
    pool = None if resources.cross_encoder else question.limit
    again = await rerank_pool(resources, question.text, rank([found.candidates], chosen, pool))
    ranked, degraded = again.ranked[: question.limit], (*found.degraded, *again.degraded)
    return RecallResult(ranked, chosen.search_cut([found.candidates], ranked), chosen.name, degraded)


def query_of(question: RecallRequest) -> RecallQuery:
    """The question with its times resolved against when and where it is asked."""
    require_zone(question.time_zone)
    text = question.text[:TEXT_LIMIT]
    times = find_times(text, question.at, question.time_zone)
    return RecallQuery(
        text=text,
        question=analyse_question(text),
        at=question.as_of or question.at,
        time_zone=question.time_zone,
        temporal_intent=question.temporal or temporal_intent(text, names_a_time=bool(times)),
        window=TimeWindow(start=times[0].start, end=times[0].end) if times else None,
        as_of=question.as_of,
        intent=question.intent,
        strategy=question.strategy,
        filters=question.filters,
        apart_from=question.apart_from,
        limit=question.limit,
    )


async def _resolve_vector_weight(resources: Resources, scope: Scope, question: RecallRequest) -> float:
    """What the vector retriever counts; where it counts nothing, nothing is embedded."""
    if resources.embedder is None or question.strategy == "exact":
        return 0.0
    if question.vector_weight is not None:
        return question.vector_weight
    if question.strategy == "semantic":
        return HYBRID.vector
    measured = await resources.vector_weights.load(resources.memory.calibration, scope, resources.clock())
    return weight_for(measured, resources.embedder.name, question.text)


def _is_missing_vectors(found: RecallPass) -> bool:
    """Whether most of what was found has no vector of the asking model: it is being made, or another model serves."""
    lacking = sum(each.cosine is None for each in found.candidates)
    return lacking * 2 > len(found.candidates)


async def embed_question(resources: Resources, text: str) -> tuple[float, ...] | None:
    """The question's vector; None when the model fails, is too slow, or was so lately."""
    assert resources.embedder is not None
    if not resources.embedder_breaker.allow_request():
        return None
    try:
        async with asyncio.timeout(resources.settings.embedding_timeout):
            vector = await resources.question_vectors.embed(resources.embedder, text)
    except TimeoutError:
        resources.embedder_breaker.record_failure()
        return None
    except BrainError as error:
        # A refusal that comes at once holds nobody up, and the next question may well be answered.
        if error.code == "E_DEP_TIMEOUT":
            resources.embedder_breaker.record_failure()
        return None
    resources.embedder_breaker.record_success()
    return vector
