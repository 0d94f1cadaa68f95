"""The recall statement's parameters and rows, so that a store only has to send the one and read the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from memory.recall.cache.visibility import can_see_history, is_about_now
from memory.recall.query import ANYTHING, CandidateRow, CorpusStats, Filters, RecallPass, RecallQuery
from memory.recall.weights import (
    LEADERS,
    NEXT_TURN,
    ROUGH_ANSWER,
    SECOND_TURN,
    recall_reach,
    retriever_weights,
)
from memory.scope import Scope
from retrieval.scores import BM25_B, BM25_K1

_SCORING: Mapping[str, object] = {
    "bm25_k1": BM25_K1,
    "bm25_b": BM25_B,
    "next_turn": NEXT_TURN,
    "second_turn": SECOND_TURN,
    "rough_answer": ROUGH_ANSWER,
}
_LOWEST, _HIGHEST = UUID(int=0), UUID(int=(1 << 128) - 1)


@dataclass(frozen=True, kw_only=True)
class RecallRow(CandidateRow):
    """One row of the ``recall`` statement, as it comes: a candidate that also tells about the whole corpus."""

    corpus_rows: int
    mean_length: float


def recall_parameters(scope: Scope, query: RecallQuery) -> dict[str, object]:
    """Every parameter of the ``recall`` statement; None for "not asked"."""
    return owner_range_params(scope) | _question_params(query) | _time_params(query) | _filter_params(query.filters)


def owner_range_params(scope: Scope) -> dict[str, object]:
    """The rows that the scope may see, as a range of people: a B-tree reads one range in every case."""
    everyone = scope.is_group
    return {
        "tenant_id": scope.tenant_id,
        "scope": scope.key,
        "user_low": _LOWEST if everyone else scope.user_id,
        "user_high": _HIGHEST if everyone else scope.user_id,
    }


def recall_pass(query: RecallQuery, rows: Sequence[RecallRow]) -> RecallPass:
    """The statement's rows as the pass that policies rank."""
    if not rows:
        return RecallPass(query=query)
    corpus = CorpusStats(rows=rows[0].corpus_rows, mean_length=rows[0].mean_length)
    return RecallPass(query=query, candidates=tuple(rows), corpus=corpus)


def _question_params(query: RecallQuery) -> dict[str, object]:
    question, weights, reach = query.question, retriever_weights(query), recall_reach(query)
    return {
        "asked": _array(sorted(set(question.terms))),
        "terms": _array(question.terms),
        "parts_of_terms": _array(question.parts_of_terms),
        "weights": _array(question.weights),
        "parts": question.parts,
        "said": query.text,
        "apart_from": list(query.apart_from),
        "embedding": None if query.embedding is None else HalfVector(list(query.embedding)),
        "embedding_model": query.embedding_model,
        "lexical_weight": weights.lexical,
        "vector_weight": weights.vector,
        "reach": reach.seeds,
        "retriever_reach": reach.per_retriever,
        "leaders": LEADERS,
        "brought": reach.brought,
        **_SCORING,
    }


def _array(numbers: Sequence[float]) -> str:
    """PostgreSQL's own spelling of an array: a tenth of what it costs to adapt a list number by number."""
    return "{" + ",".join(map(str, numbers)) + "}"


def _time_params(query: RecallQuery) -> dict[str, object]:
    cut = query.window if query.temporal_intent == "time_slice" else None
    return {
        "plain": is_about_now(query),
        "at": query.at,
        "as_of": query.as_of,
        "history": can_see_history(query),
        "slice_start": cut.start if cut else None,
        "slice_end": cut.end if cut else None,
    }


def _filter_params(filters: Filters) -> dict[str, object]:
    observed = filters.observed
    return {
        "filtered": filters != ANYTHING,
        "lanes": list(filters.lanes) or None,
        "categories": list(filters.categories) or None,
        "speakers": list(filters.speakers) or None,
        "session_ids": list(filters.session_ids) or None,
        "observed_start": observed.start if observed else None,
        "observed_end": observed.end if observed else None,
        "confidence_min": filters.confidence_min,
        "verified_only": filters.verified_only,
    }
