"""Dev server, chat server, worker and PostgreSQL are killed while four people talk: nothing is lost, left or twice."""

import asyncio
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from brain.local_postgres.server import EmbeddedPostgres
from brain.resources import utc_now
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope, name_id
from tests.conftest import a_database
from tests.integration.brain_process import Brain
from tests.integration.forked_process import BRAIN, ForkedProcess
from tests.integration.kills import Conversation, Message, Refused, Talker, find_faults, kill_often, read_checkpoint
from tests.integration.server import Server, a_server, as_url
from tests.integration.serving import Person, Serving, a_serving

KILLS = [2, pytest.param(50, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])]
SETTINGS = {"evolution_debounce": "0", "embeddings": "none", "evolution_pause": "0", "tenant_requests": "100000"}
_FLUSH = """
import threading, time
def flush_often():
    while "langgraph_runtime_inmem._persistence" not in sys.modules:
        time.sleep(0.005)
    sys.modules["langgraph_runtime_inmem._persistence"]._flush_interval = 0.3
threading.Thread(target=flush_often, daemon=True).start()
"""
"""The dev server writes its queue more often than every ten seconds, so that a kill finds runs in it."""


@dataclass(frozen=True)
class ThreadDoor:
    """A client of LangGraph's API; ``names`` says whether it gives its messages ids."""

    server: Server
    user: str
    names: bool

    def send(self, http: httpx.Client, conversation: Conversation, message: Message) -> str | None:
        said = {"role": "user", "content": message.text} | ({"id": message.message_id} if self.names else {})
        asked = {
            "assistant_id": "brain",
            "input": {"messages": [said]},
            "context": {"tenant": "kills", "user": self.user},
            "if_not_exists": "create",
            "multitask_strategy": "enqueue",
        }
        try:
            answer = http.post(f"{self.server.url}/threads/{conversation.thread}/runs/wait", json=asked)
            body: Any = answer.json()
        except (httpx.HTTPError, ValueError):
            return None
        if answer.status_code >= 500:
            return None
        if answer.status_code != 200 or "__error__" in body:
            raise Refused(f"{answer.status_code} {body}")
        return _reply(body["messages"], message.text)

    def read_thread(self, http: httpx.Client, conversation: Conversation, owner: str) -> list[tuple[str, str]]:
        return read_checkpoint(owner, conversation.thread)


@dataclass(frozen=True)
class ChatDoor:
    """A client of OpenAI's API, which keeps its conversations; ``names`` says whether it calls them anything."""

    serving: Serving
    person: Person
    names: bool

    def send(self, http: httpx.Client, conversation: Conversation, message: Message) -> str | None:
        said = list[dict[str, str]]()
        for each in conversation.said:
            said.append({"role": "user", "content": each.text})
            said += [{"role": "assistant", "content": each.reply}] if each is not message else []
        headers = {"Authorization": f"Bearer {self.person.key}"}
        headers |= {"X-Chat-Id": conversation.thread} if self.names else {}
        asked = {"model": "brain", "messages": said}
        try:
            answer = http.post(f"{self.serving.server.url}/v1/chat/completions", json=asked, headers=headers)
            body: Any = answer.json()
        except (httpx.HTTPError, ValueError):
            return None
        if answer.status_code >= 500:
            return None
        if answer.status_code != 200:
            raise Refused(f"{answer.status_code} {body}")
        return str(body["choices"][0]["message"]["content"])

    def read_thread(self, http: httpx.Client, conversation: Conversation, owner: str) -> list[tuple[str, str]]:
        texts = [each.text for each in conversation.said]
        query = "select distinct session_id::text from brain.conversation_events where role = 'user' and text = any(%s)"
        with psycopg.connect(owner) as connection:
            sessions = [str(row[0]) for row in connection.execute(query, (texts,))]
        return [each for session in sessions for each in read_checkpoint(owner, session)]


def _reply(messages: list[dict[str, Any]], text: str) -> str:
    place = max(number for number, each in enumerate(messages) if each["type"] == "human" and each["content"] == text)
    if place + 1 == len(messages) or messages[place + 1]["type"] != "ai":
        raise Refused(f"no reply to {text} in {[each['content'] for each in messages]}")
    return str(messages[place + 1]["content"])


def _restart(server: Server) -> Callable[[], None]:
    def kill_and_restart() -> None:
        server.stop(signal.SIGKILL)
        server.start()
        server.wait()

    return kill_and_restart


def _settle(where: Addresses, folder: Path) -> None:
    """Give up runs of which nobody heard, and do all the work there is."""

    async def give_up() -> None:
        async with Database(where.app) as database:
            await postgres_memory(database).log.release_abandoned(utc_now())

    with psycopg.connect(where.owner) as connection:  # or else their jobs wait until they count as dead
        connection.execute("update queue.procrastinate_workers set last_heartbeat = now() - interval '1 hour'")
    asyncio.run(give_up())
    settings = {f"BRAIN_{name.upper()}": value for name, value in SETTINGS.items()}
    done = Brain(as_url(where.owner), folder, settings=settings).run("worker", "--until-idle")
    assert done.code == 0, done.err


@pytest.mark.parametrize("kills", KILLS)
def test_a_dev_server(kills: int, server_url: str, tmp_path: Path):
    with a_database(server_url) as where, a_server(tmp_path, where.owner, **SETTINGS) as server:
        with (tmp_path / "sitecustomize.py").open("a") as started:
            started.write(_FLUSH)
        server.start()
        server.wait()
        talkers = [_thread_talker(server, names) for names in (True, False, True, False)]
        kill_often(talkers, kills, _restart(server))
        server.stop()
        _settle(where, tmp_path)
        assert find_faults(talkers, where.owner) == []


@pytest.mark.parametrize("kills", KILLS)
def test_a_chat_server(kills: int, server_url: str, tmp_path: Path):
    with a_database(server_url) as where, _a_chat_server(tmp_path, where, worker="true") as serving:
        talkers = _chat_talkers(serving)
        kill_often(talkers, kills, _restart(serving.server))
        serving.server.stop()
        _settle(where, tmp_path)
        assert find_faults(talkers, where.owner) == []


@pytest.mark.parametrize("kills", KILLS)
def test_a_worker(kills: int, server_url: str, tmp_path: Path):
    with a_database(server_url) as where, _a_chat_server(tmp_path, where) as serving:
        worker = _Worker(dict(serving.server.environment), tmp_path)
        talkers = _chat_talkers(serving)
        try:
            worker.start()
            kill_often(talkers, kills, worker.kill_and_restart)
        finally:
            worker.kill()
        _settle(where, tmp_path)
        assert find_faults(talkers, where.owner) == []


@pytest.mark.parametrize("kills", KILLS)
def test_the_postmaster(kills: int, reachable_folder: Path, tmp_path: Path):
    postgres = EmbeddedPostgres(reachable_folder / f"killed-{uuid4().hex[:8]}")
    try:
        where = addresses(postgres.start())
        with _a_chat_server(tmp_path, where, worker="true") as serving:
            talkers = _chat_talkers(serving)
            kill_often(talkers, kills, lambda: _kill_postmaster(postgres))
        _settle(where, tmp_path)
        assert find_faults(talkers, where.owner) == []
    finally:
        postgres.stop()


@dataclass
class _Worker:
    """``brain worker``, killed as often as one likes."""

    environment: dict[str, str]
    folder: Path
    process: ForkedProcess | None = None

    def start(self) -> None:
        with (self.folder / "worker.log").open("ab") as log:
            command = [BRAIN, "worker"]
            self.process = ForkedProcess(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def kill_and_restart(self) -> None:
        self.kill()
        self.start()


def _kill_postmaster(postgres: EmbeddedPostgres) -> None:
    data = next((postgres.home / "postgres").rglob("postmaster.pid"))
    os.kill(int(data.read_text().splitlines()[0]), signal.SIGKILL)
    postgres.start()


@contextmanager
def _a_chat_server(folder: Path, where: Addresses, **settings: str) -> Generator[Serving]:
    asyncio.run(migrate(where))
    with a_serving(folder, where, auth_api_keys="true", **{**SETTINGS, **settings}) as serving:
        yield serving


def _chat_talkers(serving: Serving) -> list[Talker]:
    people = [(serving.person(), names) for names in (True, False, True, False)]
    return [Talker(who.scope, ChatDoor(serving, who, names), repeats=True) for who, names in people]


def _thread_talker(server: Server, names: bool) -> Talker:
    user = f"ann {uuid4()}"
    scope = Scope(tenant_id=name_id("tenant", "kills"), user_id=name_id("user", "kills", user))
    return Talker(scope, ThreadDoor(server, user, names), repeats=names)
