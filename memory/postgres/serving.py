"""The processes that serve one database, on PostgreSQL."""

from dataclasses import dataclass
from uuid import UUID

from memory.postgres.database import Database, tenant_scope
from memory.serving import ShareGrant, ShareRequest


@dataclass(frozen=True)
class _Others:
    others: int


@dataclass(frozen=True)
class _Claimed:
    claimed: bool


@dataclass(frozen=True)
class PostgresServingProcesses:
    """The promises are those of the port."""

    database: Database

    async def keep(self, process_id: UUID) -> int:
        async with self.database.anonymous_session() as session:
            found = await session.fetch("keep_serving", {"process_id": process_id}, _Others)
        return found[0].others

    async def stop(self, process_id: UUID) -> None:
        async with self.database.anonymous_session() as session:
            session.execute("stop_serving", {"process_id": process_id})

    async def take_share(self, tenant_id: UUID, asked: ShareRequest) -> ShareGrant:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            found = await session.fetch("take_share", {"tenant_id": tenant_id, **vars(asked)}, ShareGrant)
        return found[0]

    async def claim_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID, seconds: float) -> bool:
        named = _decision(tenant_id, decision_id, process_id)
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return bool(await session.fetch("claim_decision", named | {"seconds": seconds}, _Claimed))

    async def release_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID) -> None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("release_decision", _decision(tenant_id, decision_id, process_id))


def _decision(tenant_id: UUID, decision_id: UUID, process_id: UUID) -> dict[str, object]:
    return {"tenant_id": tenant_id, "decision_id": decision_id, "process_id": process_id}
