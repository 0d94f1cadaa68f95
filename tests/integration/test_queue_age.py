"""How long the longest has waited."""

import psycopg

from apps.doctor.database import queue_finding
from apps.views.health import queue_health
from memory.postgres.database import Database
from memory.postgres.roles import Addresses

ASKED = """
insert into queue.procrastinate_jobs (queue_name, task_name, priority, scheduled_at)
values ('evolution', 'evolve', 0, now() + %(due)s::interval)
"""
AGED = """
update queue.procrastinate_events set at = now() - %(age)s::interval
where job_id = (select max(id) from queue.procrastinate_jobs)
"""


def queue_job(where: Addresses, age: str, due: str | None = None) -> None:
    """A job that was asked for so long ago, and became due, or will, at another moment where one is given."""
    with psycopg.connect(where.owner, options="-c search_path=queue") as owner:
        owner.execute(ASKED, {"due": due})
        owner.execute(AGED, {"age": age})


async def age_of(where: Addresses) -> float:
    async with Database(where.app) as database:
        health = await queue_health(database)
    assert queue_finding(health).state == ("degraded" if health.oldest_seconds > 60 else "ok")
    return health.oldest_seconds


async def test_a_job_that_is_tried_again_does_not_hide_one_that_waits(fresh_database: Addresses):
    assert await age_of(fresh_database) == 0
    queue_job(fresh_database, "10 minutes", due="-1 second")
    queue_job(fresh_database, "5 minutes")
    queue_job(fresh_database, "9 minutes", due="1 hour")
    # The one that became due a second ago waits since then, the one of an hour is not due: five minutes it is.
    assert 300 <= await age_of(fresh_database) < 540
