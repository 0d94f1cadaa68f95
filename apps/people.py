"""Everybody in a tenant, for work that concerns them all."""

from dataclasses import dataclass

from brain.cells import open_databases
from brain.settings import Settings
from memory.postgres.database import Database
from memory.scope import Speaker, scope_of


@dataclass(frozen=True)
class _NameRow:
    name: str


async def fetch_people(settings: Settings, tenant: str) -> list[str]:
    """The names of those who ever spoke in this tenant and are not being erased, in alphabetical order."""
    async with open_databases(settings, connections=1) as database:
        return await list_people(database, tenant)


async def list_people(database: Database, tenant: str) -> list[str]:
    """The same, by a connection that is open."""
    anyone = scope_of(Speaker(tenant=tenant, user="anyone"))
    async with database.scope_session(anyone) as session:
        rows = await session.fetch("people_of_tenant", {"tenant_id": anyone.tenant_id}, _NameRow)
    return [row.name for row in rows]
