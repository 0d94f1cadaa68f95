"""The constants of a retrieval pass: the SQL statement, the index that a process keeps and the policies read these."""

from collections.abc import Mapping
from dataclasses import dataclass

from language.detection import Language, language_of
from memory.embedding import can_read, is_encoder
from memory.recall.query import RecallIntent, RecallQuery
from retrieval.scores import RetrieverWeights


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far a pass reaches. It returns ``brought`` rows at most.

    It starts from the ``seeds`` best by their combined score and the ``per_retriever`` best of each retriever, which no
    other one can hide. The turns beside all of them join in.
    """

    brought: int
    seeds: int
    per_retriever: int


NARROW = Reach(brought=60, seeds=40, per_retriever=20)
WIDE = Reach(brought=200, seeds=200, per_retriever=66)
"""What a reranker chooses from."""
TURN_GAP = 2
"""A neighbour is the next indexed turn, at most this many positions away; the next but one, at most twice as many."""
NEXT_TURN, SECOND_TURN = 0.2, 0.1
"""Shares of their own scores that the turns before and after lend to a turn, and those one further away."""
ROUGH_ANSWER = 0.3
"""What a question lends, on top, to the next turn while rows are chosen; the policy then weighs it exactly."""
LEADERS = 3
"""Best rows whose further words tell which other rows are about the same thing."""


HYBRID = RetrieverWeights()
_TOTAL = HYBRID.lexical + HYBRID.vector
_EXACT = RetrieverWeights(lexical=_TOTAL, vector=0.0)
_SEMANTIC = RetrieverWeights(lexical=0.0, vector=_TOTAL)

_BY_INTENT: dict[RecallIntent, tuple[float, float]] = {
    "fact": (0.45, 0.30),
    "reasoning": (0.15, 0.65),
    "contextual": (0.20, 0.35),
    "preference": (0.30, 0.45),
    "skill": (0.20, 0.60),
}
"""Exact and semantic weight by intent; time and recency are signals of the policy, not retrievers."""


def recall_reach(query: RecallQuery) -> Reach:
    """How far one pass reaches."""
    return WIDE if query.wide else NARROW


def retriever_weights(query: RecallQuery) -> RetrieverWeights:
    """The weights of one pass: those of the strategy if it names a retriever, else of the intent, else the default."""
    if query.strategy == "exact":
        return _EXACT
    if query.strategy == "semantic" and query.embedding is not None:
        return _SEMANTIC
    vector = query.vector_weight
    return _weights_by_intent(
        query, default_vector_weight(query.embedding_model, query.text) if vector is None else vector
    )


_ENCODER_WEIGHTS: Mapping[Language, float] = {"en": 1.0, "zh": 0.7}
"""What the encoder's vectors count: the best of 0 to 2 over six kinds of text in each language."""


def default_vector_weight(model: str, text: str) -> float:
    """The weight of a model's vectors that nobody has measured: 0 where it has not learnt the question's script.

    An English model brings Chinese rows in an order that means little: at a quarter of the words' weight it cost 0.6
    points of recall@10 on Chinese questions.
    """
    if is_encoder(model):
        return _ENCODER_WEIGHTS.get(language_of(text), HYBRID.vector)
    return HYBRID.vector if can_read(model, text) else 0.0


def _weights_by_intent(query: RecallQuery, vector: float) -> RetrieverWeights:
    if query.intent is None or query.strategy == "auto":
        return RetrieverWeights(vector=vector)
    exact, semantic = _BY_INTENT[query.intent]
    lexical = _TOTAL * exact / (exact + semantic)
    return RetrieverWeights(lexical=lexical, vector=(_TOTAL - lexical) * vector / HYBRID.vector)
