"""A worker whose database goes away for a moment: it says so, comes back by itself, and ends when it is told to."""

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import procrastinate
import psycopg
import pytest
from psycopg import conninfo
from psycopg.sql import SQL, Identifier

from apps.jobs.connector import QueueConnector
from apps.jobs.worker import TO_END, BackgroundWorker, run_worker
from brain.background import cancel_until_done
from memory.postgres.roles import Addresses
from tests.fakes import a_settings
from tests.integration.brain_process import PATIENCE, Brain, as_url


@pytest.fixture
def place(fresh_database: Addresses) -> Addresses:
    return fresh_database


@contextmanager
def an_outage(server_url: str, where: Addresses) -> Generator[None]:
    """Nobody is connected to the database, and nobody can connect."""
    name = str(conninfo.conninfo_to_dict(where.owner)["dbname"])
    with psycopg.connect(server_url, autocommit=True) as administrator:
        administrator.execute(SQL("alter database {} allow_connections false").format(Identifier(name)))
        administrator.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,))
        try:
            yield
        finally:
            administrator.execute(SQL("alter database {} allow_connections true").format(Identifier(name)))


def workers(where: Addresses) -> set[int]:
    with psycopg.connect(where.owner) as connection:
        alive = "select id from queue.procrastinate_workers where last_heartbeat > now() - interval '6 seconds'"
        return {int(number) for (number,) in connection.execute(alive)}


def happens(true: Callable[[], object]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.exhaustive
def test_a_worker_process_comes_back_after_an_outage_and_still_ends_cleanly(
    server_url: str, place: Addresses, tmp_path: Path
):
    brain = Brain(as_url(place.owner), tmp_path)
    with brain.running("worker") as worker:
        assert happens(lambda: workers(place))
        before = workers(place)
        with an_outage(server_url, place):
            time.sleep(0.5)
        assert happens(lambda: workers(place) - before)
        worker.send_signal(signal.SIGTERM)
        _, told = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0
    assert b"worker_ended" in told
    assert b"lost its connection" in told


@pytest.mark.exhaustive
def test_a_worker_in_a_server_ends_with_a_reason_and_leaves_no_thread_behind(
    server_url: str, place: Addresses, monkeypatch: pytest.MonkeyPatch
):
    hasty = partial(procrastinate.PsycopgConnector, timeout=5.0)  # instead of the thirty seconds of every pool
    monkeypatch.setattr(procrastinate, "PsycopgConnector", hasty)
    worker = BackgroundWorker(a_settings(database_url=as_url(place.owner)))
    worker.start()
    assert happens(lambda: workers(place))
    with an_outage(server_url, place):
        assert happens(lambda: not worker.is_alive)
    worker.stop()
    assert not worker.has_thread
    assert "E_DEP_UNAVAILABLE" in str(worker.failure)


@contextmanager
def a_crowd(where: Addresses) -> Generator[None]:
    """The application's role has no connection left, and those that it had are gone."""
    role = Identifier(where.app_role)
    with psycopg.connect(where.owner, autocommit=True) as owner:
        owner.execute(SQL("alter role {} connection limit 0").format(role))
        owner.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = %s", (where.app_role,))
        try:
            yield
        finally:
            owner.execute(SQL("alter role {} connection limit -1").format(role))


@pytest.mark.exhaustive
def test_a_worker_outlives_a_time_without_any_connection_to_be_had(place: Addresses, tmp_path: Path):
    brain = Brain(as_url(place.owner), tmp_path)
    with a_crowd(place), brain.running("worker") as worker:
        assert worker.stderr is not None
        assert b"no connection left" in worker.stderr.readline()
        with psycopg.connect(place.owner, autocommit=True) as owner:
            owner.execute(SQL("alter role {} connection limit -1").format(Identifier(place.app_role)))
        assert happens(lambda: workers(place))
        before = workers(place)
        with a_crowd(place):
            assert any(b"worker_ended" in line for line in worker.stderr)
        assert happens(lambda: workers(place) - before)
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5])
def test_a_worker_that_is_told_to_end_while_it_begins_leaves_nothing_running(place: Addresses, seconds: float):
    async def begin_and_end() -> None:
        work = asyncio.create_task(run_worker(a_settings(database_url=as_url(place.owner)), signals=False))
        await asyncio.sleep(seconds)
        await cancel_until_done([work], TO_END)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(begin_and_end())


def test_a_queue_that_is_not_waited_for_lets_the_loop_end():
    async def give_up() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"postgresql://ann:none@127.0.0.1:{silent.getsockname()[1]}/none?connect_timeout=2"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await QueueConnector(conninfo=url).open_async()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(give_up())
