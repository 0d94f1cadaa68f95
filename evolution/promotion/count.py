"""The count behind promotion: it looks through a tenant's memories for what several people told, and proposes it.

Nothing comes of a proposal by itself: a person decides. What cannot be said without saying who told it is not proposed.
"""

from uuid import UUID

import structlog

from brain.local_postgres.startup import find_owner_url
from brain.resources import Resources
from evolution.promotion.agreeing import WordedGroup, ask_for_agreement
from evolution.promotion.grouping import group_memories
from evolution.promotion.publishing import settle_promotions
from evolution.promotion.standing import find_standing
from evolution.promotion.wording import word_proposal
from memory.postgres.database import tenant_scope
from memory.postgres.failures import PASSED_OVER
from memory.postgres.promotion_count import open_promotion_count
from memory.promotion import PromotionCount, PromotionDraft, PromotionThresholds

log = structlog.get_logger(__name__)

MEMORIES = 2_000
"""The newest memories of a tenant that are compared with each other."""


async def count_promotions(resources: Resources, *, thorough: bool = False) -> int:
    """Count in every tenant of several people; how many proposals were made."""
    owner_url = await find_owner_url(resources.settings)
    if owner_url is None:
        return 0
    thresholds = PromotionThresholds(people=resources.settings.promotion_people)
    async with open_promotion_count(owner_url) as count:
        tenants = await count.tenants(thresholds.people)
        made = [await _count_served(resources, count, each, thorough=thorough) for each in tenants]
    return sum(made)


async def _count_served(resources: Resources, count: PromotionCount, tenant_id: UUID, *, thorough: bool) -> int:
    """One tenant; one whose old copy is here is counted where it lives, one of whom somebody is being erased later."""
    try:
        return await count_tenant(resources, count, tenant_id, thorough=thorough)
    except PASSED_OVER:
        return 0


async def count_tenant(resources: Resources, count: PromotionCount, tenant_id: UUID, *, thorough: bool = False) -> int:
    """Withdraw what no longer stands, bring knowledge in line, and propose what is new; how much that was.

    A ``thorough`` count asks a model as well, where there is one.
    """
    thresholds = PromotionThresholds(people=resources.settings.promotion_people)
    withdrawn = await count.recheck(tenant_id, thresholds, resources.clock())
    await settle_promotions(resources, tenant_id)
    memories = await count.countable(tenant_id, thresholds, resources.clock(), MEMORIES)
    groups = await group_memories(memories, thresholds.people)
    worded = [WordedGroup(each, text) for each in groups if (text := word_proposal(each))]
    if thorough:
        told = {each.memory_id for found in worded for each in found.group.memories}
        rest = [each for each in memories if each.memory_id not in told]
        worded += await ask_for_agreement(resources, tenant_scope(tenant_id), rest, thresholds.people)
    made = [await _propose(resources, count, (tenant_id, thresholds), each) for each in worded]
    if withdrawn or any(made):
        log.info("promotion_counted", tenant_id=str(tenant_id), proposed=sum(made), withdrawn=withdrawn)
    return sum(made)


async def _propose(
    resources: Resources, count: PromotionCount, where: tuple[UUID, PromotionThresholds], worded: WordedGroup
) -> bool:
    """Where it can be said, nobody has decided on it, and neither other people nor knowledge say the contrary."""
    tenant_id, thresholds = where
    group, text = worded.group, worded.text
    if group.conflict_ratio >= thresholds.conflict_ratio:
        return False
    standing = await find_standing(resources, tenant_id, text)
    if standing.is_known or standing.conflict_ratio >= thresholds.conflict_ratio:
        return False
    memory_ids = tuple(each.memory_id for each in group.memories)
    topic = group.memories[0].topic
    draft = PromotionDraft(proposal_id=resources.new_id(), text=text, topic=topic, memory_ids=memory_ids)
    return await count.propose(tenant_id, draft, thresholds, resources.clock())
