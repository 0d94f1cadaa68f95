"""Calibration on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.calibration import VectorWeight
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresCalibration:
    """The promises are those of the port."""

    database: Database

    async def vector_weights(self, scope: Scope) -> list[VectorWeight]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("vector_weights", scope_params(scope), VectorWeight)

    async def save_vector_weights(self, scope: Scope, weights: Sequence[VectorWeight]) -> None:
        async with self.database.scope_session(scope) as session:
            for each in weights:
                session.execute("save_vector_weight", scope_params(scope) | vars(each))
