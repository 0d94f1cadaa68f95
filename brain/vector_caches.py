"""What recall asks about vectors with every question, as looked up lately: who is served by which, and weights."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from language.detection import language_of
from memory.calibration import Calibration, VectorWeight, weights_by_language
from memory.index import RecallIndex
from memory.recall.weights import default_vector_weight
from memory.scope import Scope, Space

FRESH = timedelta(minutes=5)
"""For so long a process goes by what it looked up; then a new measurement, or ``brain embed switch``, counts."""
MAX_TENANTS = 10_000
MAX_PEOPLE = 10_000


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
            if len(self._kept) >= MAX_TENANTS:
                self._kept.clear()
            weights = await calibration.vector_weights(scope)
            self._kept[scope.tenant_id] = now, weights
        return weights


@dataclass
class ServingModelCache:
    """By person and model, whether any row that is read has a vector of it."""

    _kept: dict[tuple[Space, str], tuple[datetime, bool]] = field(
        default_factory=dict[tuple[Space, str], tuple[datetime, bool]]
    )

    async def is_served(self, index: RecallIndex, scope: Scope, model: str, now: datetime) -> bool:
        """Whether the person's rows carry vectors of this model."""
        looked_up_at, served = self._kept.get((scope.space, model), (None, False))
        if looked_up_at is None or not looked_up_at <= now < looked_up_at + FRESH:
            if len(self._kept) >= MAX_PEOPLE:
                self._kept.clear()
            counts = await index.vector_counts(scope)
            served = any(each.model == model and not each.staged for each in counts)
            self._kept[scope.space, model] = now, served
        return served


def weight_for(measured: Sequence[VectorWeight], model: str, question: str) -> float:
    """The measured weight of the model in the language of the question."""
    weights = weights_by_language(model, measured)
    return weights.get(language_of(question), default_vector_weight(model, question))
