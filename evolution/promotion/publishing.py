"""Keeping knowledge as the proposals have it: what is approved stands in it, what is withdrawn does not."""

from datetime import timedelta
from typing import Protocol
from uuid import UUID

import structlog

from brain.resources import Resources
from evolution.promotion.knowledge_publisher import KnowledgePublisher
from memory.promotion import PromotionProposal

log = structlog.get_logger(__name__)

LOOKED_BACK = timedelta(days=2)
"""How long knowledge is asked again to let go of what was withdrawn: a killed approval may have been late."""
_ROUNDS = 5
"""How often a proposal may be decided anew while it is being published, before the next count goes on with it."""


class Publish(Protocol):
    """What promotion asks of a store of knowledge. Both may be done twice: ``source`` names the entry."""

    async def publish(self, tenant_id: UUID, text: str, source: str) -> str:
        """Have the text in the knowledge of the tenant under this source, once; the id of its entry."""
        ...

    async def remove(self, tenant_id: UUID, source: str) -> None:
        """Let nothing stand in the knowledge of the tenant that came from this source."""
        ...


def source_of(proposal_id: UUID) -> str:
    """What knowledge calls the origin of an entry."""
    return f"promotion:{proposal_id}"


def find_publisher(resources: Resources) -> Publish | None:
    """The store of knowledge, where it is switched on; else what is approved waits for it."""
    return KnowledgePublisher(resources) if resources.knowledge_store is not None else None


async def settle_promotions(resources: Resources, tenant_id: UUID, publisher: Publish | None = None) -> int:
    """Bring knowledge up to date with a tenant's proposals; how many were settled."""
    publisher = publisher or find_publisher(resources)
    if publisher is None:
        return 0
    since = resources.clock() - LOOKED_BACK
    waiting = await resources.memory.promotions.unsettled(tenant_id, since)
    return sum([await _settle(resources, tenant_id, each, publisher) for each in waiting])


async def _settle(resources: Resources, tenant_id: UUID, proposal: PromotionProposal, publisher: Publish) -> bool:
    """Until the status that was published is the one that stands: somebody may object meanwhile."""
    found: PromotionProposal | None = proposal
    for _ in range(_ROUNDS):
        if found is None:
            return False
        entry_id = await _bring_in_line(tenant_id, found, publisher)
        if await resources.memory.promotions.settle(tenant_id, found, entry_id):
            return True
        found = await resources.memory.promotions.find(tenant_id, proposal.proposal_id)
    log.warning("promotion_not_settled", proposal_id=str(proposal.proposal_id))
    return False


async def _bring_in_line(tenant_id: UUID, proposal: PromotionProposal, publisher: Publish) -> str | None:
    source = source_of(proposal.proposal_id)
    if proposal.status == "approved":
        return await publisher.publish(tenant_id, proposal.text, source)
    await publisher.remove(tenant_id, source)
    return None
