"""The audit chain on PostgreSQL."""

from dataclasses import dataclass
from uuid import UUID

from memory.audit_chain import ChainHead, Sealing, SignHead
from memory.postgres.database import Database, tenant_scope

_NOBODY = tenant_scope(UUID(int=0))


@dataclass(frozen=True)
class _NewHead:
    tenant_id: UUID
    position: int
    hash: bytes
    sealed_at: str
    added: int


@dataclass(frozen=True)
class PostgresAuditChain:
    """The promises are those of the port."""

    database: Database

    async def seal(self, sign: SignHead, most: int) -> Sealing:
        async with self.database.transaction(_NOBODY) as session:
            heads = await session.fetch("seal_chain", {"most": most}, _NewHead)
            for each in heads:
                head = ChainHead(
                    tenant_id=each.tenant_id, position=each.position, hash=each.hash, sealed_at=each.sealed_at
                )
                signed = sign(head)
                session.execute("act_for_tenant", {"tenant_id": str(each.tenant_id)})
                session.execute(
                    "insert_checkpoint",
                    {
                        "tenant_id": each.tenant_id,
                        "position": each.position,
                        "hash": each.hash,
                        "signed_at": each.sealed_at,
                        "signature": signed.signature,
                        "public_key": signed.public_key,
                    },
                )
        return Sealing(links=sum(each.added for each in heads), tenants=len(heads))
