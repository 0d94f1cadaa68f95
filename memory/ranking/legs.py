"""How much each leg of a retrieval pass counts."""

from dataclasses import dataclass

from memory.recall_query import RecallIntent, RecallQuery

REACH = 60
"""Rows a pass brings by their combined score; their neighbours and each leg's own best come on top."""
LEG_REACH = 20
"""Rows that each leg brings by itself, so that no leg can hide what another finds."""


@dataclass(frozen=True)
class Legs:
    """Weights of the normalised leg scores (each 0..1) in a row's own score."""

    words: float = 1.0
    grams: float = 1.0
    vector: float = 1.0


HYBRID = Legs()
_EXACT = Legs(words=2.0, grams=1.0, vector=0.0)
_SEMANTIC = Legs(words=0.5, grams=0.5, vector=2.0)
_TOTAL = HYBRID.words + HYBRID.grams + HYBRID.vector

_BY_INTENT: dict[RecallIntent, tuple[float, float]] = {
    "fact": (0.45, 0.30),
    "reasoning": (0.15, 0.65),
    "contextual": (0.20, 0.35),
    "preference": (0.30, 0.45),
    "skill": (0.20, 0.60),
}
"""Exact and semantic weight by intent (Eywa 6.1); its temporal and recency weights are signals, not legs."""


def legs_of(query: RecallQuery) -> Legs:
    """The weights of one pass; a strategy that names its leg wins over the intent, the intent over the default."""
    if query.strategy == "exact":
        return _EXACT
    if query.strategy == "semantic" and query.embedding is not None:
        return _SEMANTIC
    if query.intent is None or query.strategy == "auto":
        return HYBRID
    exact, semantic = _BY_INTENT[query.intent]
    lexical = _TOTAL * exact / (exact + semantic)
    return Legs(words=lexical / 2, grams=lexical / 2, vector=_TOTAL - lexical)
