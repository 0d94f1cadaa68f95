"""What models cost, on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memory.model_usage import PARTS, DaySpending, Spending
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class _TokenCount:
    tokens: int


@dataclass(frozen=True)
class PostgresModelUsage:
    """The promises are those of the port."""

    database: Database

    async def add(self, scope: Scope, day: date, spendings: Sequence[Spending]) -> None:
        if spendings:
            async with self.database.scope_session(scope) as session:
                session.execute("spend_tokens", spending_params(scope, day, spendings))

    async def tokens_of_day(self, scope: Scope, day: date) -> int:
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("tokens_spent", scope_params(scope) | {"day": day}, _TokenCount)
        return row.tokens if row else 0

    async def by_day(self, scope: Scope, since: date) -> list[DaySpending]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("tokens_by_day", scope_params(scope) | {"since": since}, DaySpending)


def spending_params(scope: Scope, day: date, spendings: Sequence[Spending]) -> dict[str, object]:
    """The parameters of ``spend_tokens``; who speaks decides the part of the day's row, and cannot be told from it."""
    return scope_params(scope) | {
        "day": day,
        "receipt_ids": list[UUID](),
        "part": scope.user_id.int % PARTS,
        "purposes": [each.purpose for each in spendings],
        "roles": [each.role for each in spendings],
        "calls": [each.calls for each in spendings],
        "estimated_calls": [each.estimated_calls for each in spendings],
        "input_tokens": [each.input_tokens for each in spendings],
        "output_tokens": [each.output_tokens for each in spendings],
    }
