"""How much each leg of a retrieval pass counts."""

from dataclasses import dataclass, replace

from memory.embedding import reads
from memory.recall.query import RecallIntent, RecallQuery

REACH = 40
"""Rows a pass starts from by their combined score; each leg's own best and the turns beside them join in."""
LEG_REACH = 20
"""Rows that each leg brings by itself, so that no leg can hide what another finds."""
BROUGHT = 60
"""Rows a pass returns at most."""
UNREAD = 0.5
"""What remains of the vector leg where the model has not learnt the script of the question."""
LEADERS = 3
"""Best rows whose further words tell which other rows are about the same thing."""


@dataclass(frozen=True)
class Legs:
    """Weights of the normalised leg scores (each 0..1) in a row's own score."""

    lexical: float = 1.0
    vector: float = 0.5


HYBRID = Legs()
_TOTAL = HYBRID.lexical + HYBRID.vector
_EXACT = Legs(lexical=_TOTAL, vector=0.0)
_SEMANTIC = Legs(lexical=0.0, vector=_TOTAL)

_BY_INTENT: dict[RecallIntent, tuple[float, float]] = {
    "fact": (0.45, 0.30),
    "reasoning": (0.15, 0.65),
    "contextual": (0.20, 0.35),
    "preference": (0.30, 0.45),
    "skill": (0.20, 0.60),
}
"""Exact and semantic weight by intent; time and recency are signals of the policy, not legs."""


def legs_of(query: RecallQuery) -> Legs:
    """The weights of one pass; a strategy that names its leg wins over the intent, the intent over the default."""
    if query.strategy == "exact":
        return _EXACT
    if query.strategy == "semantic" and query.embedding is not None:
        return _SEMANTIC
    legs = _leaning(query)
    return legs if reads(query.embedding_model, query.text) else replace(legs, vector=UNREAD * legs.vector)


def _leaning(query: RecallQuery) -> Legs:
    if query.intent is None or query.strategy == "auto":
        return HYBRID
    exact, semantic = _BY_INTENT[query.intent]
    lexical = _TOTAL * exact / (exact + semantic)
    return Legs(lexical=lexical, vector=_TOTAL - lexical)
