"""The port of calibration, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.calibration import VectorWeight
from memory.in_memory.store import InMemoryStore
from memory.scope import Scope


@dataclass
class InMemoryCalibration:
    """Measurements on the store, by tenant."""

    store: InMemoryStore

    async def vector_weights(self, scope: Scope) -> list[VectorWeight]:
        of_tenant = [each for (tenant, _, _), each in self.store.vector_weights.items() if tenant == scope.tenant_id]
        return sorted(of_tenant, key=lambda each: (each.model, each.language))

    async def save_vector_weights(self, scope: Scope, weights: Sequence[VectorWeight]) -> None:
        for each in weights:
            self.store.vector_weights[scope.tenant_id, each.model, each.language] = each
