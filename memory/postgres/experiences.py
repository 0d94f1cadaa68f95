"""Agent experience on PostgreSQL: the application's view, and the owner's count."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from memory.experience import Experience, TurnOutcomes
from memory.postgres.database import Database, tenant_scope
from memory.postgres.owner_session import owner_connection, owner_transaction


@dataclass(frozen=True)
class _Lesson:
    lesson: str


@dataclass(frozen=True)
class _Tenant:
    tenant_id: UUID


@dataclass(frozen=True)
class _Kept:
    kept: int


@dataclass(frozen=True)
class PostgresExperiences:
    """The promises are those of the port."""

    database: Database

    async def list_of(self, tenant_id: UUID) -> Sequence[Experience]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("agent_experiences", {"tenant_id": tenant_id}, Experience)

    async def remove(self, tenant_id: UUID, lesson: str) -> bool:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return bool(await session.fetch("remove_experience", {"tenant_id": tenant_id, "lesson": lesson}, _Lesson))


@dataclass(frozen=True)
class PostgresExperienceCount:
    """The promises are those of the port."""

    connection: AsyncConnection

    async def tenants(self, since: datetime) -> Sequence[UUID]:
        async with owner_transaction(self.connection, UUID(int=0)) as session:
            return [row.tenant_id for row in await session.fetch("tenants_with_tools", {"since": since}, _Tenant)]

    async def outcomes(self, tenant_id: UUID, since: datetime, most: int) -> Sequence[TurnOutcomes]:
        async with owner_transaction(self.connection, tenant_id) as session:
            params = {"tenant_id": tenant_id, "since": since, "limit": most}
            return await session.fetch("tool_outcomes", params, TurnOutcomes)

    async def keep(self, tenant_id: UUID, counted: Sequence[Experience]) -> int:
        rows = [asdict(each) | {"last_seen": each.last_seen.isoformat()} for each in counted]
        async with owner_transaction(self.connection, tenant_id) as session:
            (row,) = await session.fetch("keep_experiences", {"tenant_id": tenant_id, "counted": Jsonb(rows)}, _Kept)
        return row.kept


@asynccontextmanager
async def open_experience_count(owner_url: str) -> AsyncGenerator[PostgresExperienceCount]:
    """A count over a connection of the owner's. Raises ``E_DEP_UNAVAILABLE``."""
    async with owner_connection(owner_url) as connection:
        yield PostgresExperienceCount(connection)
