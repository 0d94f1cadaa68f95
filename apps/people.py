"""Everybody in a tenant, for work that concerns them all."""

from dataclasses import dataclass

from brain.local_postgres.startup import ready
from brain.settings import Settings
from memory.postgres.database import Database
from memory.postgres.pools import Limits
from memory.scope import Speaker, scope_of


@dataclass(frozen=True)
class _Named:
    name: str


async def people_of(settings: Settings, tenant: str) -> list[str]:
    """The names of those who ever spoke in this tenant, in alphabetical order."""
    anyone = scope_of(Speaker(tenant=tenant, user="anyone"))
    where = await ready(settings)
    async with Database(where.app, Limits(connections=1)) as database, database.scoped(anyone) as session:
        rows = await session.fetch("people_of_tenant", {"tenant_id": anyone.tenant_id}, _Named)
    return [row.name for row in rows]
