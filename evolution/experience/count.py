"""The count behind experience: a tenant's lessons are made anew from the outcomes of the last weeks.

So a lesson fades when nothing shows it any more, and goes with the turns of a person who is erased.
"""

from datetime import timedelta
from uuid import UUID

import structlog

from brain.local_postgres.startup import find_owner_url
from brain.resources import Resources
from evolution.experience.lessons import learn_lessons
from memory.experience import ExperienceCount
from memory.postgres.experiences import open_experience_count
from memory.postgres.failures import PASSED_OVER

log = structlog.get_logger(__name__)

REMEMBERED = timedelta(days=60)
"""How long an outcome counts."""
TURNS = 20_000
"""The newest turns of a tenant that are looked at."""


async def count_experiences(resources: Resources) -> int:
    """Learn in every tenant that calls tools; how many lessons there are."""
    owner_url = await find_owner_url(resources.settings)
    if owner_url is None:
        return 0
    since = resources.clock() - REMEMBERED
    async with open_experience_count(owner_url) as count:
        return sum([await _learn_served(resources, count, each) for each in await count.tenants(since)])


async def _learn_served(resources: Resources, count: ExperienceCount, tenant_id: UUID) -> int:
    """One tenant; one whose old copy is here is counted where it lives, one of whom somebody is being erased later."""
    try:
        return await learn_tenant(resources, count, tenant_id)
    except PASSED_OVER:
        return 0


async def learn_tenant(resources: Resources, count: ExperienceCount, tenant_id: UUID) -> int:
    """The lessons of one tenant instead of those of before; how many there are."""
    turns = await count.outcomes(tenant_id, resources.clock() - REMEMBERED, TURNS)
    return await count.keep(tenant_id, learn_lessons(turns))


async def forget_outcomes(resources: Resources, tenant_id: UUID) -> None:
    """Count a tenant anew at once, where somebody's turns are being erased."""
    owner_url = await find_owner_url(resources.settings)
    if owner_url is not None:
        async with open_experience_count(owner_url) as count:
            await learn_tenant(resources, count, tenant_id)
