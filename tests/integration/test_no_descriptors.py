"""A process has no file descriptor left: refused for now, nothing acknowledged is lost, and it comes back by itself."""

import resource
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.conftest import a_database
from tests.integration.brain_process import PATIENCE, Brain, as_url
from tests.integration.serving import Person, Serving, a_serving

SECONDS = 6.0
"""For which there is none: longer than a worker, a pool and a sign of life wait."""


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("descriptors")
    with a_database(server_url) as where, a_serving(folder, where, worker="true") as served:
        yield served


@contextmanager
def used_up(process_id: int) -> Generator[None]:
    """Nothing more can be opened by a process, whatever it closes."""
    before = resource.prlimit(process_id, resource.RLIMIT_NOFILE)
    resource.prlimit(process_id, resource.RLIMIT_NOFILE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process_id, resource.RLIMIT_NOFILE, before)


def end_connections(where: Addresses) -> None:
    """Those of the application have to be made anew."""
    with psycopg.connect(where.owner, autocommit=True) as owner:
        owner.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = %s", (where.app_role,))


def say(http: httpx.Client, serving: Serving, who: Person, text: str) -> httpx.Response:
    told = {"model": "brain", "messages": [{"role": "user", "content": text}]}
    headers = {"Authorization": f"Bearer {who.key}"}
    return http.post(f"{serving.server.url}/v1/chat/completions", json=told, headers=headers)


def wait_for(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("keeps_connections", [True, False])
def test_a_server_refuses_for_now_and_loses_nothing(keeps_connections: bool, serving: Serving):
    assert serving.server.process is not None
    ann, acknowledged = serving.person(), list[str]()
    with httpx.Client(timeout=30) as known:
        assert say(known, serving, ann, "I live in Ghent.").status_code == 200
        with used_up(serving.server.process.pid):
            if not keeps_connections:
                end_connections(serving.where)
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                text = f"I own a boat called {uuid4().hex[:8]}."
                answer = say(known, serving, ann, text)
                assert answer.status_code in (200, 503, 504), answer.text
                if answer.status_code == 200:
                    acknowledged.append(text)
                else:
                    assert answer.json()["error"]["code"] in ("E_DEP_UNAVAILABLE", "E_DEP_TIMEOUT")
            with pytest.raises(httpx.TransportError):
                httpx.get(f"{serving.server.url}/healthz", timeout=2)
    with httpx.Client(timeout=30) as fresh:
        wait_for(lambda: is_answered(fresh, serving, ann))
    words = [words for role, words in serving.log(ann.scope) if role == "user"]
    assert [words.count(text) for text in acknowledged] == [1] * len(acknowledged)
    assert bool(acknowledged) is keeps_connections
    wait_for(lambda: any("Ghent" in row["content"] for row in serving.rows("memory_items", ann.scope)))
    assert len(serving.server.log) < 1_000_000


def is_answered(http: httpx.Client, serving: Serving, who: Person) -> bool:
    with suppress(httpx.TransportError):
        return say(http, serving, who, "Where do I live?").status_code == 200
    return False


def test_a_worker_comes_back_and_does_what_waits(fresh_database: Addresses, tmp_path: Path):
    brain = Brain(
        as_url(fresh_database.owner), tmp_path, settings={"BRAIN_EVOLUTION_DEBOUNCE": "0", "BRAIN_WORKER": "false"}
    )
    ann = scope_of(Speaker(tenant=brain.tenant, user="ann"))

    def memories() -> int:
        query = "select count(*) from brain.memory_items where tenant_id = %s and user_id = %s"
        with psycopg.connect(fresh_database.owner) as owner:
            (found,) = owner.execute(query, (ann.tenant_id, ann.user_id)).fetchone() or (0,)
        return found

    with brain.running("worker") as worker:
        brain.says("I live in Ghent.")
        wait_for(lambda: memories() == 1)
        with used_up(worker.pid):
            end_connections(fresh_database)
            brain.says("My cat is called Moos.")
            time.sleep(SECONDS)
            assert worker.poll() is None
        wait_for(lambda: memories() == 2)
        worker.send_signal(signal.SIGTERM)
        _, told = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0
    assert len(told) < 200_000
