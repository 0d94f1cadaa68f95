"""The deployed door without authentication, driven from outside: the official client against a server process."""

import asyncio
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from langgraph_sdk.errors import BadRequestError, UnprocessableEntityError
from psycopg.sql import SQL, Identifier

from tests.integration.callers import Callers, says, words
from tests.integration.server import START, Server, a_server, said

LOOPBACK = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


async def test_a_turn_streams_its_words_its_steps_and_its_end(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    seen: dict[str, list[Any]] = {}
    modes = ["messages-tuple", "updates", "custom"]
    async for part in client.runs.stream(thread["thread_id"], "brain", input=words("I like pears."), stream_mode=modes):
        seen.setdefault(part.event, []).append(part.data)
    assert "error" not in seen, seen
    steps = [name for update in seen["updates"] for name in update]
    assert steps[0] == "open_session"
    assert steps[-1] == "capture_signals"
    assert {"classify_intent", "retrieve", "rerank", "assemble", "respond"} < set(steps)
    assert any(message["type"].startswith(("ai", "AI")) for message, _ in seen["messages"])


async def test_a_thread_has_a_history_and_can_be_forked(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    thread_id = thread["thread_id"]
    await says(client, thread_id, "My cat is called Miso.")
    before = await client.threads.get_state(thread_id)
    await says(client, thread_id, "My dog is called Waffle.")
    fork = await client.threads.update_state(
        thread_id,
        {"messages": [{"role": "user", "content": "My parrot is called Kiwi."}]},
        checkpoint_id=before["checkpoint"]["checkpoint_id"],
    )
    resumed = await client.runs.wait(
        thread_id, "brain", input=words("What do you know?"), checkpoint_id=fork["checkpoint"]["checkpoint_id"]
    )
    told = [message["content"] for message in resumed["messages"]]
    history = await client.threads.get_history(thread_id, limit=100)
    assert "My cat is called Miso." in told
    assert "My parrot is called Kiwi." in told
    assert "My dog is called Waffle." not in told
    assert any("My dog is called Waffle." in str(state["values"]) for state in history)
    assert any(state["checkpoint"]["checkpoint_id"] == before["checkpoint"]["checkpoint_id"] for state in history)


async def test_a_copied_thread_goes_its_own_way(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    await says(client, thread["thread_id"], "I live in Lisbon.")
    copied: Any = await client.threads.copy(thread["thread_id"])
    await says(client, copied["thread_id"], "I live in Porto.")
    mine = await client.threads.get_state(thread["thread_id"])
    copy = await client.threads.get_state(copied["thread_id"])
    assert len(mine["values"]["messages"]) == 2
    assert len(copy["values"]["messages"]) == 4


async def test_the_form_of_the_context_has_descriptions_and_defaults_and_no_live_things(
    open_server: Server, callers: Callers
):
    client = callers.anybody(open_server)
    assistants: Any = await client.assistants.search(graph_id="brain")
    schemas = await client.assistants.get_schemas(assistants[0]["assistant_id"])
    form: Any = schemas["context_schema"]
    assert form["properties"]["tenant"] == {
        "default": "local",
        "description": "The organisation whose data this is.",
        "title": "Tenant",
        "type": "string",
    }
    assert all("description" in field and "default" in field for field in form["properties"].values())
    assert "resources" not in form["properties"]


async def test_a_context_with_a_field_that_there_is_not_is_refused_by_its_name(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    for name, hint in (("usr", "Did you mean 'user'?"), ("resources", "Its fields are tenant, user")):
        sent = {"tenant": "acme", name: "ann"}
        with pytest.raises(
            BadRequestError, match=f"E_BAD_REQUEST: The context has no field '{name}'.*{re.escape(hint)}"
        ):
            await client.runs.create(thread["thread_id"], "brain", input=words("Hello."), context=sent)
        with pytest.raises(UnprocessableEntityError, match=f"E_BAD_REQUEST: .*'{name}'"):
            await client.assistants.create("brain", context={name: "ann"})
    assert said(await says(client, thread["thread_id"], "Hello.", tenant="acme", user="ann"))


async def test_what_became_of_a_turn_can_be_asked(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    state = await says(client, thread["thread_id"], "My favourite colour is teal.", user="olga")
    path = f"{open_server.url}/brain/operations/{state['turn']['operation_id']}"
    async with httpx.AsyncClient(timeout=START) as http:
        assert await _ended(http, path, {"user": "olga"}) == "stored"
        assert (await http.get(path, params={"user": "somebody else"})).status_code == 404
        assert (await http.get(f"{open_server.url}/brain/operations/1")).status_code == 400


async def _ended(http: httpx.AsyncClient, path: str, who: dict[str, str]) -> str:
    """The worker may still be coming back from an outage that another test made."""
    for _ in range(1_800):
        status = str((await http.get(path, params=who)).json()["status"])
        if status != "queued":
            return status
        await asyncio.sleep(0.1)
    return "queued"


async def test_the_memory_api_stands_beside_the_agent_server(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    await says(client, thread["thread_id"], "My canary is called Pip.")
    async with httpx.AsyncClient(base_url=open_server.url, timeout=60) as http:
        answer = (await http.post("/v1/memory/before_llm", json={"message": "What is my canary called?"})).json()
        assert "My canary is called Pip." in answer["data"]["context"], answer
        refused = await http.get("/v1/memory/memories", headers={"X-Brain-User": "somebody else"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "E_TENANT_FORBIDDEN")


async def test_an_open_server_listens_to_its_own_machine_and_says_so(open_server: Server, callers: Callers):
    async with httpx.AsyncClient(base_url=open_server.url, timeout=START) as http:
        from_afar = await http.post("/threads", json={}, headers={"X-Forwarded-For": "203.0.113.9"})
        rebound = await http.post("/threads", json={}, headers={"Host": "evil.example"})
        from_a_page = await http.post("/threads", json={}, headers={"Origin": "https://evil.example"})
        studio = await http.post("/threads", json={}, headers={"Origin": "https://smith.langchain.com"})
    assert [from_afar.status_code, rebound.status_code, from_a_page.status_code] == [403, 403, 403]
    assert studio.status_code == 200
    assert open_server.log.count("server_open") == 1


async def test_the_servers_own_test_routes_are_closed(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    async with httpx.AsyncClient(base_url=open_server.url, timeout=START) as http:
        statuses = [
            (await http.post("/internal/truncate")).status_code,
            (await http.get(f"/internal/debug/thread/{thread['thread_id']}")).status_code,
            (await http.get("/deploy")).status_code,
            (await http.post("/deploy/", follow_redirects=True)).status_code,
        ]
    assert statuses == [404] * 4
    assert (await client.threads.get(thread["thread_id"]))["thread_id"] == thread["thread_id"]


async def test_readiness_tells_when_the_database_is_away_and_when_it_is_back(open_server: Server, server_url: str):
    name = open_server.environment["BRAIN_DATABASE_URL"].rpartition("/")[2]
    async with httpx.AsyncClient(base_url=open_server.url, timeout=START) as http:
        with psycopg.connect(server_url, autocommit=True) as administrator:
            administrator.execute(SQL("alter database {} allow_connections false").format(Identifier(name)))
            administrator.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,))
            away = await http.get("/brain/ready")
            administrator.execute(SQL("alter database {} allow_connections true").format(Identifier(name)))
        assert await _becomes(http, 200)
    assert away.status_code == 503
    assert away.json()["ready"] is False
    assert away.json()["parts"]["memory"].startswith("E_DEP_")


async def _becomes(http: httpx.AsyncClient, status: int) -> bool:
    for _ in range(900):
        if (await http.get("/brain/ready")).status_code == status:
            return True
        await asyncio.sleep(0.2)
    return False


async def test_nothing_is_sent_abroad(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    run = asyncio.create_task(says(client, thread["thread_id"], "Where do my words go?"))
    ends: set[str] = set()
    while not run.done():
        ends |= open_server.connections()
        await asyncio.sleep(0.02)
    await run
    assert "127.0.0.1" in {end.removeprefix("::ffff:") for end in ends}
    assert ends <= LOOPBACK
    assert open_server.abroad == []


async def test_a_server_without_its_database_does_not_start(tmp_path: Path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"postgresql://brain:secret@127.0.0.1:{nobody.getsockname()[1]}/brain"
        with a_server(tmp_path, url) as server:
            server.start()
            assert server.process is not None
            status = await asyncio.to_thread(server.process.wait, START)
            said_why = [line for line in server.log.splitlines() if "Brain does not start" in line]
    assert status == 3
    assert len(said_why) == 1
    assert "E_DEP_UNAVAILABLE" in said_why[0]
    assert "secret" not in server.log
    assert "Traceback" not in server.log
