"""What tenants add to the safety contract, on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.postgres.database import Database, tenant_scope
from memory.safety_contracts import ContractDocument, ContractVersion, contract_conflict


@dataclass(frozen=True)
class _Added:
    version: int


@dataclass(frozen=True)
class PostgresSafetyContracts:
    """The promises are those of the port."""

    database: Database

    async def find_active(self, tenant_id: UUID) -> ContractDocument | None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch_one("active_contract", {"tenant_id": tenant_id}, ContractDocument)

    async def add(self, tenant_id: UUID, version: ContractVersion) -> None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            added = await session.fetch_one("add_contract", {"tenant_id": tenant_id, **vars(version)}, _Added)
        if added is None:
            raise contract_conflict(version.version)

    async def list_versions(self, tenant_id: UUID, limit: int = 100) -> Sequence[ContractVersion]:
        params = {"tenant_id": tenant_id, "limit": limit}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("contract_versions", params, ContractVersion)
