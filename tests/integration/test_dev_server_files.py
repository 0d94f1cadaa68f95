"""What the development server leaves on disk: nothing that was said, except by who still waits for an answer."""

import asyncio
import signal
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from memory.postgres.roles import Addresses
from tests.conftest import a_database
from tests.integration.brain_process import PATIENCE
from tests.integration.callers import Callers, says, words
from tests.integration.server import Server, a_server, as_url
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

SCRIPT = [
    Step(when=When(form="", contains="slowly"), hang=True),
    Step(when=When(form=""), text="At last.", times=None),
    Step(status=400, times=None),
]


@pytest.fixture
def model() -> Generator[ScriptedOpenAI]:
    with ScriptedOpenAI(SCRIPT) as running:
        yield running


@pytest.fixture
def server(server_url: str, tmp_path: Path, model: ScriptedOpenAI) -> Generator[Server]:
    """A server of this file's own, since it is ended and its folder is looked into."""
    with a_database(server_url) as where:
        settings = {
            "openai_api_key": "sk-test",
            "base_url": model.base_url,
            "embeddings": "none",
            "model_timeout": "10",
        }
        with a_server(tmp_path, where.owner, **settings) as running:
            running.start()
            running.wait()
            yield running


def files(server: Server) -> list[Path]:
    return [path for path in (server.folder / ".langgraph_api").rglob("*") if path.is_file()]


def written(server: Server, text: str) -> bool:
    return any(text.encode() in path.read_bytes() for path in files(server))


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 - another process writes the files
            await asyncio.sleep(0.1)


async def test_what_was_said_is_on_disk_only_while_its_run_waits_and_for_the_owner_alone(
    server: Server, callers: Callers
):
    client = callers.anybody(server)
    answered = (await client.threads.create())["thread_id"]
    await says(client, answered, "My locker code is 4711.")
    waiting = (await client.threads.create())["thread_id"]
    run = await client.runs.create(waiting, "brain", input=words("Please answer slowly."))

    await until(lambda: written(server, "Please answer slowly."))
    assert written(server, answered)
    assert not written(server, "4711")
    assert {path.stat().st_mode & 0o777 for path in files(server)} == {0o600}
    assert (server.folder / ".langgraph_api").stat().st_mode & 0o777 == 0o700

    await asyncio.to_thread(server.stop, signal.SIGKILL)
    server.start()
    await asyncio.to_thread(server.wait)
    await client.runs.join(waiting, run["run_id"])
    assert (await client.runs.get(waiting, run["run_id"]))["status"] == "success"
    assert "4711" in str(await client.threads.get_state(answered))

    await asyncio.to_thread(server.stop, signal.SIGTERM)
    assert written(server, waiting)
    assert not written(server, "4711")
    assert not written(server, "slowly")
    assert {path.stat().st_mode & 0o777 for path in files(server)} == {0o600}


async def test_a_run_that_was_cut_off_starts_again_in_its_own_database_alone(
    server: Server, callers: Callers, empty_database: Addresses, model: ScriptedOpenAI
):
    client = callers.anybody(server)
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "brain", input=words("Please answer slowly."))
    await until(lambda: written(server, "Please answer slowly."))
    await until(lambda: asked(model) == 1)
    await asyncio.to_thread(server.stop, signal.SIGKILL)

    other = replace(server, environment={**server.environment, "BRAIN_DATABASE_URL": as_url(empty_database.owner)})
    other.start()
    try:
        await asyncio.to_thread(other.wait)
        assert "runs_left" in other.log
        assert (await client.threads.search()) == []
        await says(client, (await client.threads.create())["thread_id"], "Hello.")
    finally:
        await asyncio.to_thread(other.stop, signal.SIGTERM)
    assert asked(model) == 1
    assert "slowly" not in str(said_in(empty_database))

    server.start()
    await asyncio.to_thread(server.wait)
    await client.runs.join(thread, run["run_id"])
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "success"
    assert asked(model) == 2


def asked(model: ScriptedOpenAI) -> int:
    """How often a model was asked to answer slowly."""
    return sum("slowly" in each.newest and not each.form for each in model.requests)


def said_in(where: Addresses) -> list[str]:
    with psycopg.connect(where.owner) as connection:
        found = connection.execute("select text from brain.conversation_events").fetchall()
    return [text for (text,) in found]
