"""The port to what tenants add to the safety contract: documents in versions, of which the last one is in force."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Protocol
from uuid import UUID

from memory.errors import BrainError


@dataclass(frozen=True, kw_only=True)
class ContractDocument:
    """A version as a turn reads it; an empty text adds nothing. ``sha256`` is that of the text when it was written."""

    version: int
    text: str
    sha256: str

    @property
    def is_intact(self) -> bool:
        """Whether the text is the one that was written."""
        return sha256(self.text.encode()).hexdigest() == self.sha256


@dataclass(frozen=True, kw_only=True)
class ContractVersion(ContractDocument):
    """A version with who set it and when; the name is gone where that person was erased."""

    author: str | None
    created_at: datetime


class SafetyContracts(Protocol):
    """What a tenant adds. Nothing of it is ever changed or deleted."""

    async def find_active(self, tenant_id: UUID) -> ContractDocument | None:
        """The version in force; None where none was ever set."""
        ...

    async def add(self, tenant_id: UUID, version: ContractVersion) -> None:
        """Put the next version in force. Raises ``E_CONFLICT`` when somebody else set one of that number."""
        ...

    async def list_versions(self, tenant_id: UUID, limit: int = 100) -> Sequence[ContractVersion]:
        """The newest first."""
        ...


def contract_conflict(version: int) -> BrainError:
    """Two set a contract at the same time; one of them did not see what the other set."""
    return BrainError(
        "E_CONFLICT", f"Somebody else set version {version} of the safety contract meanwhile.", "Read it, then set it."
    )
