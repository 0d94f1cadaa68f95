"""The queue under row-level security: jobs are reached by their tenant, and by workers through functions alone."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_new_turn, a_session, a_turn, said

TABLES = (
    "procrastinate_jobs",
    "procrastinate_events",
    "procrastinate_workers",
    "procrastinate_periodic_defers",
    "job_failures",
    "accepted_turns",
)
DEFER = (
    "select queue.procrastinate_defer_jobs_v1(array[row('evolution', 'evolve', 0, null, null, %s::jsonb, null)"
    "::queue.procrastinate_job_to_defer_v1])"
)


@contextmanager
def acting(where: Addresses, tenant: object = "") -> Generator["psycopg.Connection[Any]"]:
    """The application, for a tenant or for nobody."""
    with psycopg.connect(where.app, autocommit=True) as connection:
        connection.execute("select set_config('search_path', 'queue', false)")
        connection.execute("select set_config('brain.tenant_id', %s, false)", (str(tenant),))
        yield connection


@pytest.fixture
async def waiting(database: Database, scope: Scope, test_addresses: Addresses) -> int:
    """A job of the person's, with a reason why it failed and a turn that was accepted."""
    memory, session = postgres_memory(database), a_session()
    await memory.log.capture(scope, a_turn(said("My safe opens with 4711"), session=session))
    await memory.log.accept(scope, a_new_turn("And the other?", session, run=str(uuid4()), minutes=1), 10)
    with psycopg.connect(test_addresses.owner) as connection:
        row = connection.execute(
            "insert into queue.job_failures select id, 'E_INTERNAL', now() from queue.procrastinate_jobs"
            " where args ->> 'user_id' = %s returning job_id",
            (str(scope.user_id),),
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_every_table_of_the_queue_is_closed_to_nobody_in_particular(waiting: int, test_addresses: Addresses):
    with acting(test_addresses) as nobody:
        for table in TABLES:
            for attempt in ("select from {}", "delete from {}"):
                assert nobody.execute(sql.SQL(attempt).format(sql.Identifier(table))).rowcount == 0, table


def test_another_tenant_reaches_no_row(waiting: int, test_addresses: Addresses):
    with acting(test_addresses, uuid4()) as stranger:
        for table in TABLES:
            assert stranger.execute(sql.SQL("select from {}").format(sql.Identifier(table))).rowcount == 0, table
        changed = stranger.execute("update procrastinate_jobs set priority = 1 where id = %s", (waiting,))
        assert changed.rowcount == 0


def test_the_tenant_itself_sees_its_jobs(waiting: int, scope: Scope, test_addresses: Addresses):
    with acting(test_addresses, scope.tenant_id) as own:
        assert own.execute("select id from procrastinate_jobs where id = %s", (waiting,)).rowcount == 1
        assert own.execute("select from procrastinate_events where job_id = %s", (waiting,)).rowcount >= 1
        assert own.execute("select from job_failures").rowcount == 1
        assert own.execute("select from accepted_turns").rowcount == 1


def test_no_function_lets_a_tenant_touch_a_job_of_another(waiting: int, scope: Scope, test_addresses: Addresses):
    with acting(test_addresses, uuid4()) as stranger:
        with pytest.raises(InsufficientPrivilege):
            stranger.execute(DEFER, (f'{{"tenant_id": "{scope.tenant_id}"}}',))
        with pytest.raises(InsufficientPrivilege):
            stranger.execute("select id from procrastinate_fetch_job_v2(null, null)")
        assert stranger.execute("select * from list_jobs(%s, null, 10)", (waiting,)).fetchall() == []
        assert stranger.execute("select * from replay_job(%s)", (waiting,)).fetchall() == []
        assert stranger.execute("select * from abandoned_turns(now() + interval '1 year', 100)").fetchall() == []
        with pytest.raises(InsufficientPrivilege):
            stranger.execute("select free_queueing_lock(%s)", (waiting,))
        with pytest.raises(InsufficientPrivilege):
            stranger.execute("select procrastinate_cancel_job_v1(%s, false, true)", (waiting,))
        with pytest.raises(InsufficientPrivilege):
            stranger.execute("select note_failure(%s, 'E_FORGED')", (waiting,))
    with acting(test_addresses, scope.tenant_id) as own:
        row = own.execute(
            "select j.status::text, j.queueing_lock is not null, f.reason from procrastinate_jobs j"
            " join job_failures f on f.job_id = j.id where j.id = %s",
            (waiting,),
        ).fetchone()
    assert row == ("todo", True, "E_INTERNAL")


def test_a_worker_sees_what_waits_by_a_function(waiting: int, test_addresses: Addresses):
    with acting(test_addresses) as worker:
        assert worker.execute("select job_id from list_jobs(%s, null, 10)", (waiting,)).fetchall() == [(waiting,)]


def test_only_functions_of_one_purpose_lend_their_owners_rights(test_addresses: Addresses):
    with psycopg.connect(test_addresses.owner) as connection:
        found = connection.execute(
            "select p.pronamespace::regnamespace::text, array_agg(p.proname::text order by p.proname) from pg_proc p"
            " where p.pronamespace in ('queue'::regnamespace, 'checkpoint'::regnamespace) and p.prosecdef group by 1"
        ).fetchall()
    told = {schema: [name for name in names if not name.startswith("procrastinate_")] for schema, names in found}
    assert told == {
        "checkpoint": [
            "drop_runs",
            "erase_thread",
            "has_turn",
            "idle_threads",
            "long_threads",
            "recent_threads",
            "thread_owner",
            "threads_of_erased",
        ],
        "queue": [
            "abandoned_turns",
            "backlog",
            "follow_clock",
            "free_queueing_lock",
            "health",
            "jobs_to_abort",
            "list_jobs",
            "note_failure",
            "replay_job",
            "stalled_jobs",
            "take_job_of",
            "turns_of_runs",
        ],
    }
