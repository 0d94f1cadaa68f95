"""What people say of times, from the turn through the real worker to the answer to a question."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from brain.recall import RecallRequest, recall
from brain.resources import Resources
from memory.memory_item import MemoryItem
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import Filters
from memory.scope import Scope
from tests.contract.builders import NOON, a_session, a_turn, said
from tests.integration.evolving import a_saver, resources_on
from tests.integration.working import work

FACTS = Filters(lanes=("fact",))
LATER = NOON + timedelta(days=30)


@pytest.fixture
def scope() -> Scope:
    return Scope(tenant_id=uuid4(), user_id=uuid4(), key="main")


async def remembered(where: Addresses, resources: Resources, scope: Scope, *texts: str) -> dict[str, MemoryItem]:
    """Said on Sunday 1 March 2026, minutes apart, and looked at by a worker without a model."""
    session = a_session()
    for number, text in enumerate(texts):
        turn = a_turn(said(text, minutes=number), session=session, ends=number == len(texts) - 1)
        await resources.memory.log.capture(scope, turn)
    async with a_saver(where.app) as saver:
        await work(where, resources, saver)
    items = await resources.memory.items.list_newest(scope, include_inactive=True)
    return {item.content: item for item in items}


async def answers(resources: Resources, scope: Scope, question: str, at: datetime = LATER) -> list[str]:
    found = await recall(resources, scope, RecallRequest(text=question, at=at, filters=FACTS, limit=5))
    return [each.candidate.text for each in found.ranked]


def days(item: MemoryItem) -> tuple[str, str]:
    return item.valid_at.date().isoformat(), item.invalid_at.date().isoformat() if item.invalid_at else ""


async def test_a_life_with_its_times(quiet_database: tuple[Addresses, Database], scope: Scope):
    where, database = quiet_database
    resources = resources_on(database)
    oslo, bergen = "I lived in Oslo from 2010 to 2015.", "I've been living in Bergen since 2018."
    pills, wedding = "I'm on antibiotics until Friday.", "We got married last week."
    items = await remembered(where, resources, scope, oslo, bergen, pills, wedding, "I have a dog called Rex.")
    assert {text: days(item) for text, item in items.items()} == {
        oslo: ("2010-01-01", "2016-01-01"),
        bergen: ("2018-01-01", ""),
        pills: ("2026-03-01", "2026-03-07"),
        wedding: ("2026-02-16", ""),
        "I have a dog called Rex.": ("2026-03-01", ""),
    }
    assert {item.status for item in items.values()} == {"active"}
    assert oslo in await answers(resources, scope, "Did I live in Oslo?")
    assert await answers(resources, scope, "Where did I live in 2012?") == [oslo]
    assert oslo not in await answers(resources, scope, "Where did I live in 2019?")
    assert pills in await answers(resources, scope, "Do I take antibiotics?", at=datetime(2026, 3, 5, tzinfo=UTC))
    assert pills not in await answers(resources, scope, "Do I take antibiotics?")


async def test_a_life_in_chinese(quiet_database: tuple[Addresses, Database], scope: Scope):
    where, database = quiet_database
    resources = resources_on(database)
    beijing, now, tea = "我从2010年到2015年在北京工作。", "我2018年起住在成都。", "我在公司上班三年了。"
    items = await remembered(where, resources, scope, beijing, now, tea)
    assert {text: days(item) for text, item in items.items()} == {
        beijing: ("2010-01-01", "2016-01-01"),
        now: ("2018-01-01", ""),
        tea: ("2023-01-01", ""),
    }
    assert beijing in await answers(resources, scope, "我在北京工作过吗？")
    assert await answers(resources, scope, "2012年我在哪儿工作？") == [beijing]


async def test_the_later_statement_counts_although_it_tells_of_an_earlier_time(
    quiet_database: tuple[Addresses, Database], scope: Scope
):
    where, database = quiet_database
    resources = resources_on(database)
    items = await remembered(where, resources, scope, "I live in Rome.", "I moved to Lyon in February.")
    rome, lyon = items["I live in Rome."], items["I moved to Lyon in February."]
    assert (rome.status, rome.superseded_by, rome.invalid_at) == ("superseded", lyon.memory_id, rome.observed_at)
    assert (lyon.status, days(lyon)) == ("active", ("2026-02-01", ""))
    assert await answers(resources, scope, "Where do I live?") == [lyon.content]


async def test_what_was_told_of_the_past_is_not_ended_by_what_holds_now(
    quiet_database: tuple[Addresses, Database], scope: Scope
):
    where, database = quiet_database
    resources = resources_on(database)
    past, now = "I worked at Acme from 2010 to 2015.", "I work at Siemens now."
    items = await remembered(where, resources, scope, past, now)
    assert {text: item.status for text, item in items.items()} == {past: "active", now: "active"}
    items = await remembered(where, resources, scope, past.replace("Acme", "Bosch"))
    assert {item.status for item in items.values()} == {"active"}
