"""The port of what was measured about embedding models: how much their vectors are worth beside words, by language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class VectorWeight:
    """What the best vector counts against the best words (1.0) in questions of one language; 0 leaves vectors out.

    ``questions`` is how many it was measured on.
    """

    model: str
    language: str
    weight: float
    questions: int
    measured_at: datetime


class Calibration(Protocol):
    """One tenant's measurements, shared by everybody in it."""

    async def vector_weights(self, scope: Scope) -> list[VectorWeight]:
        """All of them, by model and language."""
        ...

    async def save_vector_weights(self, scope: Scope, weights: Sequence[VectorWeight]) -> None:
        """Put new measurements in the place of earlier ones of the same model and language."""
        ...


def weights_by_language(model: str, measured: Sequence[VectorWeight]) -> Mapping[str, float]:
    """The weights of one model by language."""
    return {each.language: each.weight for each in measured if each.model == model}
