"""The count behind promotion, over a connection of the database's owner: the application may not read across people."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from psycopg import AsyncConnection

from memory.postgres.owner_session import owner_connection, owner_transaction
from memory.promotion import CountableMemory, PromotionDraft, PromotionThresholds


@dataclass(frozen=True)
class _Tenant:
    tenant_id: UUID


@dataclass(frozen=True)
class _Changed:
    changed: int


@dataclass(frozen=True)
class _Proposed:
    proposed: bool


@dataclass(frozen=True)
class PostgresPromotionCount:
    """The promises are those of the port."""

    connection: AsyncConnection

    async def tenants(self, people: int) -> Sequence[UUID]:
        async with owner_transaction(self.connection, UUID(int=0)) as session:
            return [row.tenant_id for row in await session.fetch("tenants_of_several", {"people": people}, _Tenant)]

    async def recheck(self, tenant_id: UUID, thresholds: PromotionThresholds, at: datetime) -> int:
        async with owner_transaction(self.connection, tenant_id) as session:
            params = _params(tenant_id, thresholds, at)
            (row,) = await session.fetch("recheck_promotions", params, _Changed)
        return row.changed

    async def countable(
        self, tenant_id: UUID, thresholds: PromotionThresholds, at: datetime, most: int
    ) -> Sequence[CountableMemory]:
        async with owner_transaction(self.connection, tenant_id) as session:
            params = _params(tenant_id, thresholds, at) | {"limit": most}
            return await session.fetch("countable_memories", params, CountableMemory)

    async def propose(
        self, tenant_id: UUID, draft: PromotionDraft, thresholds: PromotionThresholds, at: datetime
    ) -> bool:
        async with owner_transaction(self.connection, tenant_id) as session:
            params = _params(tenant_id, thresholds, at) | asdict(draft) | {"memory_ids": list(draft.memory_ids)}
            (row,) = await session.fetch("propose_promotion", params, _Proposed)
        return row.proposed


@asynccontextmanager
async def open_promotion_count(owner_url: str) -> AsyncGenerator[PostgresPromotionCount]:
    """A count over a connection of its own. Raises ``E_DEP_UNAVAILABLE``."""
    async with owner_connection(owner_url) as connection:
        yield PostgresPromotionCount(connection)


def _params(tenant_id: UUID, thresholds: PromotionThresholds, at: datetime) -> dict[str, object]:
    return {
        "tenant_id": tenant_id,
        "people": thresholds.people,
        "sessions": thresholds.sessions,
        "told": thresholds.told,
        "confidence": thresholds.confidence,
        "since": at - thresholds.window,
        "at": at,
    }
