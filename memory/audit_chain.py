"""The port of the audit chain: per tenant, links that commit to each audit event and receipt, and signed heads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class ChainHead:
    """The last link of a tenant's chain: its hash stands for all links before it."""

    tenant_id: UUID
    position: int
    hash: bytes
    sealed_at: str


@dataclass(frozen=True, kw_only=True)
class HeadSignature:
    """An Ed25519 signature of a head, and the key by which it is checked."""

    signature: bytes
    public_key: bytes


@dataclass(frozen=True, kw_only=True)
class Sealing:
    """What one batch of sealing did: how many links it appended, in how many tenants."""

    links: int
    tenants: int


SignHead = Callable[[ChainHead], HeadSignature]


class AuditChain(Protocol):
    """Grows behind the turns; nothing is ever taken out of it."""

    async def seal(self, sign: SignHead, most: int) -> Sealing:
        """Append links for up to ``most`` rows of all tenants, and sign the new heads: both or nothing.

        Does nothing while another process seals.
        """
        ...
