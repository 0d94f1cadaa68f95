"""Calibration on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.calibration import VectorWeight
from memory.postgres.database import Database, of_scope
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresCalibration:
    """The promises are those of the port."""

    database: Database

    async def vector_weights(self, scope: Scope) -> list[VectorWeight]:
        async with self.database.scoped(scope) as session:
            return await session.fetch("vector_weights", of_scope(scope), VectorWeight)

    async def save_vector_weights(self, scope: Scope, weights: Sequence[VectorWeight]) -> None:
        async with self.database.scoped(scope) as session:
            for each in weights:
                session.execute("save_vector_weight", of_scope(scope) | vars(each))
