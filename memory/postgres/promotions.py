"""Proposals of promotion on PostgreSQL, as the application may see and change them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.postgres.database import Database, tenant_scope
from memory.promotion import Decider, PromotionDecision, PromotionProposal, ProposalStatus
from memory.scope import Scope


@dataclass(frozen=True)
class _Changed:
    changed: int


@dataclass(frozen=True)
class _Flag:
    objects: bool


@dataclass(frozen=True)
class _Settled:
    proposal_id: UUID


@dataclass(frozen=True)
class PostgresPromotions:
    """The promises are those of the port."""

    database: Database

    async def list_of(
        self, tenant_id: UUID, status: ProposalStatus | None, limit: int = 200
    ) -> Sequence[PromotionProposal]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "status": status, "limit": limit}
            return await session.fetch("promotion_proposals", params, PromotionProposal)

    async def find(self, tenant_id: UUID, proposal_id: UUID) -> PromotionProposal | None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "proposal_id": proposal_id}
            return await session.fetch_one("promotion_proposal", params, PromotionProposal)

    async def decide(
        self, decider: Decider, proposal_id: UUID, *, approves: bool, at: datetime
    ) -> PromotionDecision | None:
        params = {"proposal_id": proposal_id, "approves": approves, "by": decider.name, "at": at}
        async with self.database.transaction(_scope(decider)) as session:
            return await session.fetch_one("decide_promotion", params, PromotionDecision)

    async def object(self, decider: Decider, *, objects: bool, at: datetime) -> int:
        async with self.database.transaction(_scope(decider)) as session:
            (row,) = await session.fetch("object_to_promotion", {"objects": objects, "at": at}, _Changed)
        return row.changed

    async def objects(self, decider: Decider) -> bool:
        async with self.database.scope_session(_scope(decider)) as session:
            (row,) = await session.fetch("objects_to_promotion", {}, _Flag)
        return row.objects

    async def unsettled(self, tenant_id: UUID, withdrawn_since: datetime) -> Sequence[PromotionProposal]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "since": withdrawn_since}
            return await session.fetch("unsettled_promotions", params, PromotionProposal)

    async def settle(self, tenant_id: UUID, proposal: PromotionProposal, entry_id: str | None) -> bool:
        params = {
            "tenant_id": tenant_id,
            "proposal_id": proposal.proposal_id,
            "revision": proposal.revision,
            "entry_id": entry_id,
        }
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            if proposal.status == "withdrawn":
                session.execute("purge_promoted", params)
            return bool(await session.fetch("settle_promotion", params, _Settled))

    async def withdraw_erased(self, tenant_id: UUID, tombstone_id: UUID, at: datetime) -> int:
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            (row,) = await session.fetch("withdraw_erased", {"tombstone_id": tombstone_id, "at": at}, _Changed)
        return row.changed


def _scope(decider: Decider) -> Scope:
    return Scope(tenant_id=decider.tenant_id, user_id=decider.user_id)
