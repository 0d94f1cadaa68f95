"""Upkeep plans itself: from a person's own activity, for a day later, once, as long as there is something to tidy."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from apps.jobs.tasks import UPKEEP_PRIORITY
from apps.views.health import queue_health
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_turn, by_ann, said
from tests.fakes import NOW
from tests.integration.evolving import resources_on
from tests.integration.working import EVERYTHING, work
from tests.unit.upkeep_builders import an_old_draft


def planned(where: Addresses, scope: Scope) -> list[tuple[str, int, float]]:
    """Status, priority and hours from now of a person's upkeep."""
    with psycopg.connect(where.owner) as connection:
        rows = connection.execute(
            "select status::text, priority, extract(epoch from scheduled_at - now())::float8 / 3600"
            " from queue.procrastinate_jobs where args ->> 'user_id' = %s and task_name = 'upkeep'",
            (str(scope.user_id),),
        )
        return [(str(status), int(priority), float(hours)) for status, priority, hours in rows]


def is_due(where: Addresses, scope: Scope) -> None:
    with psycopg.connect(where.owner, options="-c search_path=queue") as connection:
        connection.execute(
            "update queue.procrastinate_jobs set scheduled_at = now() - interval '1 second'"
            " where args ->> 'user_id' = %s and task_name = 'upkeep'",
            (str(scope.user_id),),
        )


def nobody_else_waits(where: Addresses) -> None:
    """Other tests leave jobs behind, some of them to be tried again later."""
    with psycopg.connect(where.owner, options="-c search_path=queue") as connection:
        connection.execute("delete from queue.procrastinate_jobs where status = 'todo'")


async def test_a_turn_plans_one_upkeep_a_day_later_behind_everything_else(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    for minutes in range(2):
        await resources.memory.log.capture(scope, a_turn(said("My favourite colour is green.", minutes=minutes)))
        await work(test_addresses, resources, queues=EVERYTHING)
    assert planned(test_addresses, scope) == [("todo", UPKEEP_PRIORITY, pytest.approx(24, abs=0.1))]


async def test_what_is_planned_for_tomorrow_is_no_backlog(database: Database, test_addresses: Addresses, scope: Scope):
    resources = resources_on(database)
    nobody_else_waits(test_addresses)
    await resources.memory.log.capture(scope, a_turn(said("My favourite colour is green.")))
    await work(test_addresses, resources, queues=EVERYTHING)
    health = await queue_health(database)
    assert (health.waiting, health.oldest_seconds) == (0, 0.0)


async def test_upkeep_tidies_and_plans_the_next_time(database: Database, test_addresses: Addresses, scope: Scope):
    resources = replace(resources_on(database), clock=lambda: NOW + timedelta(days=1))
    receipt = await resources.memory.items.write(scope, an_old_draft(400), by_ann("k1"))
    await resources.memory.log.capture(scope, a_turn(said("Hello")))
    await work(test_addresses, resources, queues=EVERYTHING)
    is_due(test_addresses, scope)
    await work(test_addresses, resources, queues=EVERYTHING)
    item = await resources.memory.items.get(scope, receipt.memory_id)
    assert item.epistemic_type == "outdated"
    assert planned(test_addresses, scope) == [("todo", UPKEEP_PRIORITY, pytest.approx(24, abs=0.1))]


async def test_a_person_of_whom_nothing_is_left_is_not_visited_again(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    await resources.memory.log.capture(scope, a_turn(said("Hello")))
    await work(test_addresses, resources, queues=EVERYTHING)
    is_due(test_addresses, scope)
    await work(test_addresses, resources, queues=EVERYTHING)
    assert planned(test_addresses, scope) == []


@pytest.mark.parametrize(("hours", "expected"), [(0, []), (2, [("todo", UPKEEP_PRIORITY, pytest.approx(2, abs=0.1))])])
async def test_how_often_is_a_setting(
    database: Database, test_addresses: Addresses, make_scope: Callable[..., Scope], hours: int, expected: list[Any]
):
    scope = make_scope()
    resources = resources_on(database, upkeep_hours=hours)
    await resources.memory.log.capture(scope, a_turn(said("Hello")))
    await work(test_addresses, resources, queues=EVERYTHING)
    assert planned(test_addresses, scope) == expected
