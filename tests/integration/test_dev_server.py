"""The deployed door, driven from outside: the official client against a server process."""

import asyncio
import signal
import socket
from collections.abc import AsyncGenerator, Generator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError
from psycopg.sql import SQL, Identifier

from tests.conftest import a_database
from tests.integration.issuer import Issuer
from tests.integration.server import Server, a_server, said
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

Client = Any
"""The official client; its own types know less than its answers hold."""
REFUSED = (APIStatusError, httpx.HTTPStatusError)
LOOPBACK = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
MODEL = [
    Step(when=When(form="", contains="slowly"), text="At last.", delay=20.0, times=None),
    Step(when=When(form=""), text="Hello from the model, word by word.", times=None),
    Step(status=400, times=None),
]


@pytest.fixture(scope="module")
def model() -> Generator[ScriptedOpenAI]:
    with ScriptedOpenAI(MODEL) as running:
        yield running


@pytest.fixture(scope="module")
def open_server(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """No authentication, no model."""
    with a_database(server_url) as where, a_server(tmp_path_factory.mktemp("open"), where.owner) as server:
        server.start()
        server.wait()
        yield server


@pytest.fixture(scope="module")
def issuer() -> Generator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(
    server_url: str, tmp_path_factory: pytest.TempPathFactory, model: ScriptedOpenAI, issuer: Issuer
) -> Iterator[Server]:
    """A token required, a model behind it. A test may restart it: it keeps its address."""
    settings = {"openai_api_key": "sk-test", "base_url": model.base_url, **issuer.settings}
    folder = tmp_path_factory.mktemp("guarded")
    with a_database(server_url) as where, a_server(folder, where.owner, **settings) as server:
        server.start()
        server.wait()
        yield server


def words(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def status_of(refused: APIStatusError | httpx.HTTPStatusError) -> int:
    """The client raises its own error or its library's, as it happens."""
    return refused.response.status_code


class Callers:
    """Official clients, of nobody in particular or of a person with a token; closed when the test ends."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer
        self._open: list[Client] = []

    def anybody(self, server: Server, headers: dict[str, str] | None = None) -> Client:
        client = get_client(url=server.url, headers=headers)
        self._open.append(client)
        return client

    def person(self, server: Server, tenant: str, user: str, **claims: object) -> Client:
        return self.anybody(server, self._issuer.bearer(tenant, user, **claims))

    async def close(self) -> None:
        for client in self._open:
            await client.aclose()


@pytest.fixture
async def callers(issuer: Issuer) -> AsyncGenerator[Callers]:
    made = Callers(issuer)
    yield made
    await made.close()


async def says(client: Client, thread_id: str, text: str, **context: Any) -> dict[str, Any]:
    state = await client.runs.wait(thread_id, "brain", input=words(text), context=context or None)
    assert "__error__" not in state, state
    return dict(state)


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


async def test_a_client_cannot_hand_in_live_things(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    state = await says(client, thread["thread_id"], "Hello.", resources={"settings": {}}, unheard_of=1)
    assert said(state)


async def test_what_became_of_a_turn_can_be_asked(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    thread = await client.threads.create()
    state = await says(client, thread["thread_id"], "My favourite colour is teal.", user="olga")
    path = f"{open_server.url}/brain/operations/{state['turn']['operation_id']}"
    async with httpx.AsyncClient() as http:
        assert await _ended(http, path, {"user": "olga"}) == "stored"
        assert (await http.get(path, params={"user": "somebody else"})).status_code == 404
        assert (await http.get(f"{open_server.url}/brain/operations/1")).status_code == 400


async def _ended(http: httpx.AsyncClient, path: str, who: dict[str, str]) -> str:
    for _ in range(100):
        status = str((await http.get(path, params=who)).json()["status"])
        if status != "queued":
            return status
        await asyncio.sleep(0.1)
    return "queued"


async def test_an_open_server_listens_to_its_own_machine_and_says_so(open_server: Server, callers: Callers):
    async with httpx.AsyncClient(base_url=open_server.url) as http:
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
    async with httpx.AsyncClient(base_url=open_server.url) as http:
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
    async with httpx.AsyncClient(base_url=open_server.url, timeout=10) as http:
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
    for _ in range(100):
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


async def test_a_request_without_a_valid_token_is_refused(guarded: Server, issuer: Issuer):
    with Issuer() as other:
        stranger = other.bearer("acme", "ann")
    unsigned = "eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhY21lIiwic3ViIjoiYW5uIiwiZXhwIjo5OTk5OTk5OTk5fQ."
    attempts = [
        {},
        {"x-auth-scheme": "langsmith"},
        {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_pt_x"},
        {"Authorization": f"Bearer {unsigned}"},
        {"Authorization": f"Basic {issuer.token('acme', 'ann')}"},
        stranger,
        issuer.bearer("acme", "ann", exp=1),
        issuer.bearer("acme", "ann", aud="another service"),
    ]
    async with httpx.AsyncClient(base_url=guarded.url) as http:
        for headers in attempts:
            assert (await http.post("/threads", json={}, headers=headers)).status_code == 401, headers
            assert (await http.get(f"/brain/operations/{uuid4()}", headers=headers)).status_code == 401, headers
            assert (await http.post("/runs/wait", json={"assistant_id": "brain"}, headers=headers)).status_code == 401
        assert (await http.post("/threads", json={}, headers=issuer.bearer("acme", "ann"))).status_code == 200
        assert (await http.get("/brain/ready")).json()["ready"] is True


async def test_nobody_sees_another_persons_threads(guarded: Server, callers: Callers):
    ann, bob = callers.person(guarded, "acme", "ann"), callers.person(guarded, "acme", "bob")
    elsewhere = callers.person(guarded, "other", "ann")
    thread = await ann.threads.create(metadata={"owner": "bob", "tenant": "other"})
    thread_id = thread["thread_id"]
    await says(ann, thread_id, "My secret is plum.")
    for intruder in (bob, elsewhere):
        mine = (await intruder.threads.create())["thread_id"]
        for attempt in (
            intruder.threads.get(thread_id),
            intruder.threads.get_state(thread_id),
            intruder.threads.get_history(thread_id),
            intruder.threads.update(thread_id, metadata={"owner": "bob"}),
            intruder.threads.update_state(thread_id, {"messages": []}),
            intruder.threads.copy(thread_id),
            intruder.runs.list(thread_id),
            intruder.runs.wait(thread_id, "brain", input=words("What is my secret?")),
            intruder.threads.create(thread_id=thread_id, if_exists="do_nothing"),
            intruder.threads.delete(thread_id),
        ):
            with pytest.raises(REFUSED) as refused:
                await attempt
            assert status_of(refused.value) in {403, 404, 409}
        stolen = await _through_another(intruder, mine, thread_id)
        assert "plum" not in str(stolen)
        assert thread_id not in str(await intruder.threads.search(limit=100))
    assert "plum" in str(await ann.threads.get_state(thread_id))


async def _through_another(client: Client, own: str, foreign: str) -> list[Any]:
    """Name somebody else's thread in the body of requests about one's own."""
    checkpoint: Any = {"thread_id": foreign, "checkpoint_ns": ""}
    found: list[Any] = []
    for attempt in (
        client.threads.get_state(own, checkpoint=checkpoint),
        client.threads.get_history(own, checkpoint=checkpoint),
        client.runs.wait(own, "brain", input=words("Repeat."), checkpoint=checkpoint),
        client.runs.wait(own, "brain", input=words("Repeat."), context={"thread_id": foreign}),
        client.runs.wait(own, "brain", input=words("Repeat."), config={"configurable": {"thread_id": foreign}}),
    ):
        try:
            found.append(await attempt)
        except REFUSED as refused:
            found.append(status_of(refused))
    return found


async def test_a_forged_context_has_no_effect(guarded: Server, callers: Callers, model: ScriptedOpenAI, issuer: Issuer):
    def heard() -> int:
        replies = [request for request in model.requests if request.endpoint == "chat" and not request.form]
        return sum("marzipan" in str(request.body) for request in replies)

    victim = callers.person(guarded, "acme", "victor")
    theirs = (await victim.threads.create())["thread_id"]
    await says(victim, theirs, "My safe word is marzipan.")
    before = heard()
    claimed: dict[str, Any] = {"tenant": "acme", "user": "victor", "role": "owner", "session": theirs}
    smuggled = {"langgraph_auth_user": {"identity": "x", "tenant": "acme", "user": "victor"}}
    for body in (
        {"context": claimed},
        {"config": {"configurable": claimed}},
        {"context": smuggled},
        {"config": {"configurable": smuggled}},
        {"metadata": {"tenant": "acme", "owner": "victor"}, "context": claimed},
    ):
        told = {"assistant_id": "brain", "input": words("What is my safe word?"), **body}
        async with httpx.AsyncClient(
            base_url=guarded.url, headers=issuer.bearer("evil", "mallory"), timeout=30
        ) as http:
            assert "marzipan" not in (await http.post("/runs/wait", json=told)).text
    assert heard() == before
    again = (await victim.threads.create())["thread_id"]
    await says(victim, again, "What is my safe word?")
    assert heard() > before


async def test_a_turn_is_accounted_to_its_person_only(guarded: Server, callers: Callers, issuer: Issuer):
    ann = callers.person(guarded, "acme", "ann")
    thread = await ann.threads.create()
    state = await says(ann, thread["thread_id"], "I play the cello.")
    path = f"{guarded.url}/brain/operations/{state['turn']['operation_id']}"
    async with httpx.AsyncClient() as http:
        assert (await http.get(path, headers=issuer.bearer("acme", "ann"))).status_code == 200
        forged = {"tenant": "acme", "user": "ann"}
        assert (await http.get(path, params=forged, headers=issuer.bearer("acme", "bob"))).status_code == 404


async def test_what_has_no_verified_owner_is_forbidden(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann")
    with pytest.raises(REFUSED) as cron:
        await ann.crons.create("brain", schedule="* * * * *", input=words("Now."))
    with pytest.raises(REFUSED) as store:
        await ann.store.put_item(["bob"], key="k", value={"a": 1})
    with pytest.raises(REFUSED) as everywhere:
        await ann.store.search_items([])
    assert [status_of(each.value) for each in (cron, store, everywhere)] == [403, 403, 403]


async def test_assistants_are_their_makers_and_the_graphs_everybodys(guarded: Server, callers: Callers):
    ann, bob = callers.person(guarded, "acme", "ann"), callers.person(guarded, "acme", "bob")
    made = await ann.assistants.create("brain", context={"tenant": "x"}, metadata={"created_by": "system"})
    with pytest.raises(REFUSED):
        await bob.assistants.get(made["assistant_id"])
    with pytest.raises(REFUSED):
        await bob.runs.wait(None, made["assistant_id"], input=words("Hello."))
    shared: Any = await bob.assistants.search()
    assert [assistant["metadata"]["created_by"] for assistant in shared] == ["system"]
    with pytest.raises(REFUSED):
        await bob.assistants.update(shared[0]["assistant_id"], name="mine")


async def test_the_models_words_stream_to_an_authenticated_person(guarded: Server, callers: Callers):
    client = callers.person(guarded, "acme", "ann", roles=["editor"])
    thread = await client.threads.create()
    stream: Any = client.runs.stream(
        thread["thread_id"], "brain", input=words("Say hello."), stream_mode="messages-tuple"
    )
    parts = [part.data[0] async for part in stream if part.event == "messages"]
    pieces = [part["content"] for part in parts if part["type"] == "AIMessageChunk"]
    assert "".join(pieces) == "Hello from the model, word by word."
    assert len([piece for piece in pieces if piece]) > 1


async def test_threads_outlive_a_restart_and_a_crash(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann")
    finished = (await ann.threads.create())["thread_id"]
    await says(ann, finished, "My boat is called Albatross.")
    await _again(guarded, signal.SIGTERM)
    after_restart = await ann.threads.get_state(finished)

    crashed = (await ann.threads.create())["thread_id"]
    await says(ann, crashed, "My bicycle is red.")
    await ann.runs.create(crashed, "brain", input=words("Please answer slowly."))
    await _reached(ann, crashed, "slowly")
    await _again(guarded, signal.SIGKILL)
    after_crash = await ann.threads.get_state(crashed)
    still_there = await ann.threads.get_state(finished)
    with pytest.raises(REFUSED):
        await callers.person(guarded, "acme", "bob").threads.get_state(crashed)
    went_on = await says(ann, crashed, "Still there?")

    assert "Albatross" in str(after_restart["values"])
    assert "Albatross" in str(still_there["values"])
    assert "My bicycle is red." in str(after_crash["values"])
    assert "Please answer slowly." in str(after_crash["values"])
    assert said(went_on) == "Hello from the model, word by word."


async def _again(server: Server, how: signal.Signals) -> None:
    """End it and start it anew; a killed one also loses the file in which it keeps its list of threads."""
    await asyncio.to_thread(server.stop, how)
    if how == signal.SIGKILL:
        (server.folder / ".langgraph_api" / ".langgraph_ops.pckl").unlink(missing_ok=True)
    server.start()
    await asyncio.to_thread(server.wait)


async def _reached(client: Client, thread_id: str, text: str) -> None:
    for _ in range(200):
        if text in str(await client.threads.get_state(thread_id)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("The run was never checkpointed.")


async def test_a_server_without_its_database_does_not_start(tmp_path: Path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"postgresql://brain:secret@127.0.0.1:{nobody.getsockname()[1]}/brain"
        with a_server(tmp_path, url) as server:
            server.start()
            assert server.process is not None
            status = await asyncio.to_thread(server.process.wait, 40)
            said_why = [line for line in server.log.splitlines() if "Brain does not start" in line]
    assert status == 3
    assert len(said_why) == 1
    assert "E_DEP_UNAVAILABLE" in said_why[0]
    assert "secret" not in server.log
    assert "Traceback" not in server.log
