"""Promotion: what several people of a tenant told, proposed as knowledge of the organisation (S0 section 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol
from uuid import UUID

ProposalStatus = Literal["proposed", "approved", "rejected", "withdrawn"]


@dataclass(frozen=True, kw_only=True)
class PromotionThresholds:
    """From when on something is proposed. ``told`` counts in how many conversations each memory was told."""

    people: int = 3
    sessions: int = 2
    told: int = 3
    confidence: float = 0.75
    conflict_ratio: float = 0.3
    window: timedelta = timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class CountableMemory:
    """A memory that may be counted, with the words of somebody else: only the count sees it."""

    memory_id: UUID
    user_id: UUID
    sessions: tuple[UUID, ...]
    content: str
    topic: str
    told_at: datetime

    def __post_init__(self) -> None:
        """Rows bring lists."""
        object.__setattr__(self, "sessions", tuple(self.sessions))


@dataclass(frozen=True, kw_only=True)
class PromotionDraft:
    """A sentence in which nobody is named, and the memories that say it."""

    proposal_id: UUID
    text: str
    topic: str
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, kw_only=True)
class PromotionProposal:
    """What is proposed, and how many told it; never who. Withdrawn ones have no words.

    ``settled``: knowledge is known to agree with the status.
    """

    proposal_id: UUID
    text: str
    topic: str
    people: int
    sessions: int
    told: int
    status: ProposalStatus
    proposed_at: datetime
    decided_by: str
    decided_at: datetime | None
    withdrawn_at: datetime | None
    revision: int
    settled: bool
    entry_id: str | None


@dataclass(frozen=True)
class PromotionDecision:
    """What became of a decision. ``alone``: fewer than two others told it than the one who decides."""

    decided: bool
    alone: bool


class Promotions(Protocol):
    """The proposals of one tenant at a time, as those who decide see them."""

    async def list_of(
        self, tenant_id: UUID, status: ProposalStatus | None, limit: int = 200
    ) -> Sequence[PromotionProposal]:
        """The newest first."""
        ...

    async def find(self, tenant_id: UUID, proposal_id: UUID) -> PromotionProposal | None:
        """One of them."""
        ...

    async def decide(
        self, decider: "Decider", proposal_id: UUID, *, approves: bool, at: datetime
    ) -> PromotionDecision | None:
        """Approve or reject, once; None for what does not wait for a decision."""
        ...

    async def object(self, decider: "Decider", *, objects: bool, at: datetime) -> int:
        """Count the person no more, or again; how many proposals were withdrawn by that."""
        ...

    async def objects(self, decider: "Decider") -> bool:
        """Whether the person has objected."""
        ...

    async def unsettled(self, tenant_id: UUID, withdrawn_since: datetime) -> Sequence[PromotionProposal]:
        """Those with which knowledge may not agree; what was withdrawn since then is looked at again."""
        ...

    async def settle(self, tenant_id: UUID, proposal: PromotionProposal, entry_id: str | None) -> bool:
        """Note that knowledge agrees with this revision; False when the status has changed meanwhile.

        Of what is withdrawn no word stays in knowledge, nor in its history.
        """
        ...

    async def withdraw_erased(self, tenant_id: UUID, tombstone_id: UUID, at: datetime) -> int:
        """Withdraw what the person under a tombstone told; how many rows that changed."""
        ...


@dataclass(frozen=True, kw_only=True)
class Decider:
    """Who decides or objects: a person of a tenant, and the name by which the record knows them."""

    tenant_id: UUID
    user_id: UUID
    name: str


class PromotionCount(Protocol):
    """What only the owner of the database may do: read people's words across a tenant, and propose."""

    async def tenants(self, people: int) -> Sequence[UUID]:
        """Tenants in which at least so many people have memories."""
        ...

    async def recheck(self, tenant_id: UUID, thresholds: PromotionThresholds, at: datetime) -> int:
        """Withdraw what its sources no longer hold up; how many."""
        ...

    async def countable(
        self, tenant_id: UUID, thresholds: PromotionThresholds, at: datetime, most: int
    ) -> Sequence[CountableMemory]:
        """What may be counted, the newest first."""
        ...

    async def propose(
        self, tenant_id: UUID, draft: PromotionDraft, thresholds: PromotionThresholds, at: datetime
    ) -> bool:
        """Propose it, if the database finds the thresholds kept as well; whether it did."""
        ...
