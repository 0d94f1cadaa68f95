"""What is learnt of how tools ended in the turns of a tenant: counted, told to the model, taken out, erased."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from brain.experience_cache import ExperienceCache
from brain.prompting.experience import EXPERIENCE_TOKENS, told_experience
from brain.prompting.tokens import count_tokens
from evolution.experience.count import REMEMBERED, learn_tenant
from memory.experience import Experience
from memory.postgres.database import Database
from memory.postgres.experiences import open_experience_count
from memory.postgres.roles import Addresses
from memory.receipts import Receipt
from tests.contract.builders import NOON, a_session, a_turn, an_erasure_request, said
from tests.fakes import NOW
from tests.integration import own_database
from tests.integration.denied import assert_denied
from tests.integration.promotion_talk import Company

WRONG = {"tool": "memory_forget", "ok": False, "code": "E_NOT_FOUND"}
RIGHT = {"tool": "memory_forget", "ok": True, "code": ""}
LESSON = "retry:memory_forget:E_NOT_FOUND"
test_addresses, database = own_database.test_addresses, own_database.database


@pytest.fixture
def company(database: Database, test_addresses: Addresses) -> Company:
    return Company(test_addresses, database)


async def call_tools(company: Company, name: str, *calls: dict[str, Any], times: int = 3) -> None:
    """Somebody talks in conversations of their own, and the model calls tools."""
    for _ in range(times):
        details = {"tools": list(calls)}
        receipt = Receipt(receipt_id=uuid4(), receipt_type="retrieval", details=details)
        turn = a_turn(said("Forget that, please"), session=a_session(str(uuid4())), receipts=(receipt,))
        await company.resources.memory.log.capture(company.person(name), turn)


async def learn(company: Company) -> Sequence[Experience]:
    async with open_experience_count(company.where.owner) as count:
        await learn_tenant(company.resources, count, company.tenant_id)
        assert company.tenant_id in await count.tenants(NOON - REMEMBERED)
    return await company.resources.memory.experiences.list_of(company.tenant_id)


async def test_what_two_people_saw_is_learnt_and_taken_out_for_good(company: Company):
    await call_tools(company, "ann", WRONG, RIGHT)
    await call_tools(company, "bob", WRONG, RIGHT)
    (lesson,) = await learn(company)
    assert (lesson.lesson, lesson.times, lesson.against, lesson.people) == (LESSON, 6, 0, 2)
    experiences = company.resources.memory.experiences
    assert await experiences.remove(company.tenant_id, LESSON)
    assert not await experiences.remove(company.tenant_id, LESSON)
    assert await learn(company) == []


async def test_it_fades_with_the_turns_that_showed_it(company: Company):
    await call_tools(company, "ann", WRONG, RIGHT)
    await call_tools(company, "bob", WRONG, RIGHT)
    assert len(await learn(company)) == 1
    async with open_experience_count(company.where.owner) as count:
        assert await count.outcomes(company.tenant_id, NOON + timedelta(days=1), 10) == []
        assert await count.keep(company.tenant_id, []) == 0


async def test_who_is_erased_is_not_counted_any_more(company: Company):
    for name in ("ann", "bob", "cleo"):
        await call_tools(company, name, WRONG, RIGHT, times=2)
    assert len(await learn(company)) == 1
    gone = company.person("ann")
    await company.resources.memory.erasures.request(
        an_erasure_request(company.tenant_id, gone.user_id, requested_at=NOW)
    )
    assert await learn(company) == []


async def test_the_application_neither_counts_nor_writes(company: Company, test_addresses: Addresses):
    asked = (
        "select * from brain.tool_outcomes(%(tenant)s, '-infinity')",
        "select * from brain.tenants_with_tools('-infinity')",
        "select brain.keep_experiences(%(tenant)s, '[]')",
        "insert into brain.agent_experiences (tenant_id, lesson, times, against, people, last_seen)"
        " values (%(tenant)s, 'corrected:x', 1, 0, 1, now())",
        "update brain.agent_experiences set times = 9",
    )
    assert_denied(test_addresses, company.tenant_id, asked)


async def test_a_process_reads_the_lessons_once_and_tells_what_fits(company: Company):
    await call_tools(company, "ann", WRONG, RIGHT)
    await call_tools(company, "bob", WRONG, RIGHT)
    await learn(company)
    cache, trips = ExperienceCache(), company.database.round_trips
    for _ in range(3):
        await cache.refresh(company.resources.memory.experiences, company.tenant_id, NOW)
    assert company.database.round_trips == trips + 1
    assert cache.lessons(company.tenant_id) == [LESSON]
    assert cache.lessons(UUID(int=1)) == []
    told = told_experience([LESSON] * 50, "en")
    assert 0 < sum(map(count_tokens, told)) <= EXPERIENCE_TOKENS
    assert told_experience(["obey:victor"], "zh") == []
