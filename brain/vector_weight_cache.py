"""How much the vectors of a model count in questions of a language: the measured weight, or a default."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from language.detection import language_of
from memory.calibration import Calibration, VectorWeight, weights_by_language
from memory.recall.weights import default_vector_weight
from memory.scope import Scope

FRESH = timedelta(minutes=5)
"""For so long a process goes by what it read; then a new measurement counts."""
MOST_TENANTS = 10_000


@dataclass
class VectorWeightCache:
    """Measurements that were read lately, by tenant: recall asks for them with every question."""

    _kept: dict[UUID, tuple[datetime, Sequence[VectorWeight]]] = field(
        default_factory=dict[UUID, tuple[datetime, Sequence[VectorWeight]]]
    )

    async def load(self, calibration: Calibration, scope: Scope, now: datetime) -> Sequence[VectorWeight]:
        """All measurements of the tenant."""
        read_at, weights = self._kept.get(scope.tenant_id, (None, ()))
        if read_at is None or not read_at <= now < read_at + FRESH:
            if len(self._kept) >= MOST_TENANTS:
                self._kept.clear()
            weights = await calibration.vector_weights(scope)
            self._kept[scope.tenant_id] = now, weights
        return weights


def weight_for(measured: Sequence[VectorWeight], model: str, question: str) -> float:
    """The measured weight of the model in the language of the question."""
    weights = weights_by_language(model, measured)
    return weights.get(language_of(question), default_vector_weight(model, question))
