"""Nobody reads the log any more, or its disk is full: people are answered and memory grows all the same."""

import signal
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict, Unpack

import httpx
import psycopg
import pytest

from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of
from tests.conftest import a_database
from tests.integration.brain_process import COMMAND, PATIENCE, Brain, as_url
from tests.integration.serving import Person, Serving, a_serving


class How(TypedDict):
    """Where a process runs."""

    cwd: Path
    env: Mapping[str, str]
    start_new_session: NotRequired[bool]


Start = Callable[..., "subprocess.Popen[bytes]"]


def into_a_pipe_whose_reader_leaves(command: list[str], **how: Unpack[How]) -> "subprocess.Popen[bytes]":
    """As in ``brain serve 2>&1 | head -1``."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    return process


def into_a_pipe_without_a_reader(command: list[str], **how: Unpack[How]) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    assert process.stdout is not None
    process.stdout.close()
    return process


def into_a_full_disk(command: list[str], **how: Unpack[How]) -> "subprocess.Popen[bytes]":
    with Path("/dev/full").open("ab") as full:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=full, **how)


def without_streams(command: list[str], **how: Unpack[How]) -> "subprocess.Popen[bytes]":
    """As in ``brain serve >&- 2>&-``."""
    return subprocess.Popen(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *command], **how)


STARTS = [into_a_pipe_whose_reader_leaves, into_a_pipe_without_a_reader, into_a_full_disk, without_streams]


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    """A server that tells much, with its worker inside; each test starts it again."""
    folder = tmp_path_factory.mktemp("unread")
    with a_database(server_url) as where, a_serving(folder, where, worker="true", log_level="debug") as served:
        yield served


@pytest.fixture
def place(fresh_database: Addresses) -> Addresses:
    return fresh_database


def say(serving: Serving, who: Person, *texts: str) -> None:
    said: list[Any] = []
    for text in texts:
        said.append({"role": "user", "content": text})
        reply = serving.client(who).chat.completions.create(model="brain", messages=said)
        said.append({"role": "assistant", "content": reply.choices[0].message.content})


def wait_for(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def count_memories(place: Addresses, scope: Scope) -> int:
    with psycopg.connect(place.owner) as owner:
        query = "select count(*) from brain.memory_items where user_id = %s"
        (found,) = owner.execute(query, (scope.user_id,)).fetchone() or (0,)
    return found


@pytest.mark.parametrize("start", STARTS)
def test_a_server_answers_and_learns_and_ends_well(start: Start, serving: Serving):
    server, ann = serving.server, serving.person()
    server.stop()
    environment = {**server.environment, "BRAIN_PORT": str(server.port)}
    server.process = start([str(COMMAND), "serve"], cwd=server.folder, env=environment, start_new_session=True)
    server.wait()
    say(serving, ann, "I live in Ghent.", "My cat is called Moos.", "Where do I live?")
    wait_for(lambda: len(serving.rows("memory_items", ann.scope)) >= 2)

    assert [words for role, words in serving.log(ann.scope) if role == "user"][-1] == "Where do I live?"
    assert len(serving.log(ann.scope)) == 6
    assert "Ghent" in serving.log(ann.scope)[-1][1]
    assert 'status="500"' not in httpx.get(f"{server.url}/metrics").text
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("start", STARTS[1:])
def test_a_worker_works_and_ends_well(start: Start, place: Addresses, tmp_path: Path):
    brain = Brain(as_url(place.owner), tmp_path, settings={"BRAIN_LOG_LEVEL": "debug", "BRAIN_WORKER": "false"})
    ann = scope_of(Speaker(tenant=brain.tenant, user="ann"))
    worker = start([str(COMMAND), "worker"], cwd=tmp_path, env=brain.environment)
    try:
        brain.says("I live in Ghent.", "My cat is called Moos.")
        wait_for(lambda: count_memories(place, ann) == 2)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE) == 0
    finally:
        worker.kill()
        worker.wait()
