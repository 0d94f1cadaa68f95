"""The jobs that make vectors: one per person is enough, and none of them ends up where nobody works on it."""

import asyncio
from typing import Any

import psycopg

from apps.jobs.tasks import job_app
from apps.jobs.worker import take_over
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.integration.brain_process import PATIENCE
from tests.integration.test_embeddings import Letters, a_worker, all_embedded, leaning, tells

BEGUN = """update queue.procrastinate_jobs set status = 'doing'
where task_name = 'embed' and not exists (select from queue.procrastinate_jobs where status = 'doing')"""


async def test_failing_jobs_of_one_person_do_not_pile_up_or_get_stuck(fresh_database: Addresses, scope: Scope):
    async with Database(fresh_database.app) as database:
        embedder = Letters(down=True, delay=0.1)
        resources = leaning(database, embedder)
        async with a_worker(fresh_database.app, resources):
            for number in range(6):
                await tells(resources, scope, f"Turn {number}")
            async with asyncio.timeout(PATIENCE):
                while embedder.asked < 3:  # noqa: ASYNC110 - the worker asks
                    await asyncio.sleep(0.02)
    assert {str(status) for (status,) in jobs_of(fresh_database)} == {"todo"}
    assert len(jobs_of(fresh_database)) == 1


async def test_a_worker_starts_although_one_died_while_another_job_of_the_person_waited(
    fresh_database: Addresses, scope: Scope
):
    async with Database(fresh_database.app) as database:
        resources = leaning(database, Letters())
        await tells(resources, scope, "We got a puppy.")
        app = job_app(fresh_database.session, resources)
        whose = {"tenant_id": str(scope.tenant_id), "user_id": str(scope.user_id), "scope": scope.key}
        async with app.open_async():
            for _ in range(2):
                await app.configure_task("embed", queueing_lock="embed:ann").defer_async(**whose)
                with psycopg.connect(fresh_database.owner, options="-c search_path=queue") as connection:
                    connection.execute(BEGUN)
            assert await take_over(app) == 1
        async with a_worker(fresh_database.app, resources):
            await all_embedded(resources, scope)


def jobs_of(where: Addresses) -> list[tuple[Any, ...]]:
    with psycopg.connect(where.owner) as connection:
        statuses = "select status::text from queue.procrastinate_jobs where task_name = 'embed'"
        return connection.execute(statuses).fetchall()
