"""The account of tokens, and the length of the queue."""

import asyncio
from dataclasses import replace
from datetime import date
from uuid import uuid4

from memory.model_usage import DaySpending, ModelRole, Purpose, Spending
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, said

DAY, NEXT = date(2026, 3, 1), date(2026, 3, 2)


def spending(purpose: Purpose = "turn", role: ModelRole = "chat", *, calls: int = 1, estimated: int = 0) -> Spending:
    """Ten tokens asked and one answered per call."""
    return Spending(
        purpose=purpose,
        role=role,
        calls=calls,
        estimated_calls=estimated,
        input_tokens=10 * calls,
        output_tokens=calls,
    )


def on(day: date, told: Spending) -> DaySpending:
    return DaySpending(day=day, **vars(told))


async def test_an_empty_account_is_nothing(memory: MemoryCore, scope: Scope):
    assert await memory.model_usage.tokens_of_day(scope, DAY) == 0
    assert await memory.model_usage.by_day(scope, DAY) == []


async def test_what_is_spent_adds_up_by_day_purpose_and_role(memory: MemoryCore, scope: Scope):
    await memory.model_usage.add(scope, DAY, [spending(), spending(role="fast", calls=2, estimated=1)])
    await memory.model_usage.add(scope, DAY, [spending("evolution", "fast"), spending(role="fast")])
    await memory.model_usage.add(scope, NEXT, [spending("upkeep", "fast")])
    assert await memory.model_usage.tokens_of_day(scope, DAY) == 55
    assert await memory.model_usage.by_day(scope, DAY) == [
        on(NEXT, spending("upkeep", "fast")),
        on(DAY, spending("evolution", "fast")),
        on(DAY, spending()),
        on(DAY, spending(role="fast", calls=3, estimated=1)),
    ]
    assert await memory.model_usage.by_day(scope, NEXT) == [on(NEXT, spending("upkeep", "fast"))]


async def test_everybody_of_a_tenant_spends_from_one_account_and_no_other_tenant_does(memory: MemoryCore, scope: Scope):
    people = [replace(scope, user_id=uuid4(), key=key) for key in ("main", "group:x", "main", "main")]
    await asyncio.gather(
        *(memory.model_usage.add(each, DAY, [spending(role="fast"), spending()]) for each in people * 5)
    )
    await memory.model_usage.add(replace(scope, tenant_id=uuid4()), DAY, [spending(calls=100)])
    assert await memory.model_usage.tokens_of_day(scope, DAY) == 440
    assert await memory.model_usage.by_day(people[1], DAY) == [
        on(DAY, spending(calls=20)),
        on(DAY, spending(role="fast", calls=20)),
    ]


async def test_a_turn_brings_its_tokens_with_it_and_the_next_one_knows_of_them(memory: MemoryCore, scope: Scope):
    session = a_session()
    first = await memory.log.open(scope, session.session_id, 5, (), DAY)
    await memory.log.capture(scope, a_turn(said("hello"), session=session, spendings=(spending(calls=3),)))
    then = await memory.log.open(scope, session.session_id, 5, (), DAY)
    elsewhere = await memory.log.open(replace(scope, user_id=uuid4()), uuid4(), 5, (), DAY)
    assert (first.tokens_spent, then.tokens_spent, elsewhere.tokens_spent) == (0, 33, 33)
    assert (await memory.log.open(scope, session.session_id, 5)).tokens_spent == 0
    assert (await memory.log.open(scope, session.session_id, 5, (), NEXT)).tokens_spent == 0
    assert await memory.model_usage.by_day(scope, DAY) == [on(DAY, spending(calls=3))]


async def test_the_backlog_counts_sessions_that_wait_up_to_a_bound(memory: MemoryCore, scope: Scope):
    for _ in range(3):
        session = a_session()
        await memory.log.capture(scope, a_turn(said("one"), session=session))
        await memory.log.capture(scope, a_turn(said("two"), session=session))
    assert (await memory.log.backlog(scope, 100_000)).tenant == 3
    assert (await memory.log.backlog(scope, 2)).everybody == 2
    assert (await memory.log.backlog(replace(scope, tenant_id=uuid4()), 100_000)).tenant == 0
