"""What is said in a whole conversation without a model keeps or ends what it should, on a real PostgreSQL."""

from uuid import UUID, uuid4

import pytest

from graphs.evolution import evolve
from memory.memory_item import MemoryItem
from memory.partial_endings import parts_over
from memory.postgres.database import Database
from memory.scope import Speaker, scope_of
from tests.integration.test_changing_memory import TENANT, Talk


async def remembered(database: Database, *texts: str) -> list[MemoryItem]:
    """What is remembered of somebody who says all of it, each sentence read before the next one is said."""
    user = str(uuid4())
    talk, scope = Talk(database, user), scope_of(Speaker(tenant=TENANT, user=user))
    for text in texts:
        await talk.say(text)
        await evolve(talk.resources, scope, UUID(talk.state["turn"]["session_id"]))
    return await talk.resources.memory.items.list_newest(scope, include_inactive=True)


def living(items: list[MemoryItem]) -> list[str]:
    """What stands as it was said, with nothing of it over."""
    return [item.content for item in items if item.status == "active" and not parts_over(item)]


@pytest.mark.parametrize("said", ["The doctor says I'm allergic to penicillin.", "医生说我对青霉素过敏。"])
async def test_an_allergy_that_a_doctor_found_is_a_constraint(database: Database, said: str):
    (item,) = await remembered(database, said)
    assert (item.memory_type, item.predicate, item.content) == ("constraint", "allergic_to", said)


@pytest.mark.parametrize(
    "said",
    [
        "The doctor says he's allergic to penicillin.",
        "The doctor asked if I'm allergic to penicillin.",
        "If the doctor says I'm allergic to penicillin, I'll need another antibiotic.",
        "医生问我是不是对青霉素过敏。",
        "如果医生说我对青霉素过敏，我就换药。",
    ],
)
async def test_an_allergy_that_nobody_found_is_not_remembered(database: Database, said: str):
    assert await remembered(database, said) == []


async def test_a_doctor_who_denies_an_allergy_ends_nothing(database: Database):
    items = await remembered(
        database, "The doctor says I'm allergic to penicillin.", "My doctor says I'm not allergic to penicillin."
    )
    assert "The doctor says I'm allergic to penicillin." in living(items)


@pytest.mark.parametrize(
    ("home", "move"),
    [
        ("I live in Bristol.", "I moved to Glasgow because I wanted to be closer to my parents."),
        ("我住在徐汇。", "上周我搬到了浦东"),
    ],
)
async def test_a_move_with_its_reason_or_its_time_ends_the_old_home(database: Database, home: str, move: str):
    assert living(await remembered(database, home, move)) == [move]


@pytest.mark.parametrize(
    ("home", "other"),
    [
        ("I live in Bristol.", "I'm moving to Glasgow next year."),
        ("I live in Bristol.", "My brother moved to Glasgow to be closer to our parents."),
        ("I live in Bristol.", "I moved to Glasgow for a week."),
        ("我住在徐汇。", "上周我们公司搬到了浦东。"),
    ],
)
async def test_what_is_no_move_of_the_person_leaves_the_home(database: Database, home: str, other: str):
    assert home in living(await remembered(database, home, other))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("My daughter is 7.", "My daughter turned 8 yesterday."),
        ("My husband works at Shell.", "My husband works at BP now."),
        ("My manager is Dana.", "My new manager is Priya."),
        ("我女儿7岁。", "我女儿8岁了。"),
        ("我的经理是王强。", "我的新经理是李娜。"),
    ],
)
async def test_what_changes_for_somebodys_people_ends_what_was(database: Database, before: str, now: str):
    assert living(await remembered(database, before, now)) == [now]


async def test_who_a_name_is_lives_on_beside_its_new_age(database: Database):
    items = await remembered(database, "My daughter Emma is 7.", "Emma is 8 now.")
    older = next(item for item in items if item.content == "My daughter Emma is 7.")
    assert older.status == "active"
    assert [(part.over, part.instead) for part in parts_over(older)] == [("7", "8")]


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("My husband works at Shell.", "My ex-husband works at BP now."),
        ("My husband works at Shell.", "My husband's friend works at BP now."),
        ("My daughter is 7.", "My older daughter is 8 now."),
        ("我的经理是王强。", "我老公的新经理是李娜。"),
    ],
)
async def test_what_is_told_of_another_person_leaves_it(database: Database, before: str, other: str):
    assert before in living(await remembered(database, before, other))


async def test_what_is_told_of_one_person_in_two_languages_is_asked_about_before_it_is_forgotten(database: Database):
    talk = Talk(database, str(uuid4()))
    asked = await talk.say("我女朋友叫小雨。", "My girlfriend likes jazz.", "忘掉我女朋友的事")
    assert "1. " in asked
    assert "2. " in asked
    reply = await talk.say("都忘掉")
    assert "小雨" in reply
    assert "jazz" in reply
