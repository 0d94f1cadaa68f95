"""Every door against every attack: nobody gets a word of another person's, nothing changes, each refusal has a code.

``-s`` prints how often each door was attacked.
"""

import asyncio
import json
import re
import socket
import time
from asyncio.subprocess import DEVNULL, PIPE, Process, create_subprocess_exec
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import psycopg
import pytest
from _pytest.mark.structures import ParameterSet

from tests.conftest import a_database
from tests.integration.brain_process import COMMAND
from tests.integration.door_attacks import (
    DEEP,
    HELLO,
    LIMIT,
    SURROGATE,
    TENANT,
    TEXTS,
    UNSIGNED,
    Scene,
    Sent,
    as_colleague,
    from_foreign_page,
    on_behalf,
    prove,
    raw_requests,
    show,
    spoil,
    to_rebound_name,
    twice_named,
    two_proofs,
    with_deep_json,
    with_hostile_headers,
    with_hostile_paths,
    with_hostile_texts,
    with_huge_body,
)
from tests.integration.door_probes import (
    MARKER,
    Probe,
    Victim,
    a_victim,
    agent_probes,
    chat_probes,
    mcp_probes,
    memory_probes,
    panel_probes,
    store_probes,
    tool_arguments,
    tool_call,
)
from tests.integration.issuer import Issuer
from tests.integration.server import a_server
from tests.integration.serving import SECRET, Person, Serving, a_serving
from tests.scripted_openai import ScriptedOpenAI

tally = Counter[str]()


def a_scene(http: httpx.Client, victim: Victim, issuer: Issuer, more: Mapping[str, str]) -> Scene:
    """The proofs that every server checks, and some that only one knows."""
    with Issuer() as other:
        forged = other.bearer(TENANT, "ann")["Authorization"]
    bearer = partial(_bearer, issuer)
    tokens = {
        "colleague": bearer(TENANT, "bob"),
        "namesake": bearer("elsewhere", "ann"),
        "nobody": "",
        "forged": forged,
        "unsigned": f"Bearer {UNSIGNED}",
        "expired": bearer(TENANT, "ann", exp=int(time.time()) - 60),
        "other audience": bearer(TENANT, "ann", aud="another service"),
        "basic": bearer(TENANT, "ann").replace("Bearer", "Basic"),
        "unknown key": "Bearer brain_" + "A" * 64,
    }
    return Scene(http, victim, {**tokens, **more})


def _bearer(issuer: Issuer, tenant: str, user: str, **claims: object) -> str:
    return issuer.bearer(tenant, user, **claims)["Authorization"]


@pytest.fixture(scope="module")
def serve(server_url: str, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    limits = {"request_bytes": str(LIMIT), "tenant_requests": "0", "mcp_destructive": "true"}
    limits["panel_secret"] = SECRET
    chosen = {**limits, "auth_api_keys": "true", **issuer.settings}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("doors"), where, **chosen) as up:
        yield up


@pytest.fixture(scope="module")
def serve_scene(serve: Serving, issuer: Issuer) -> Iterator[Scene]:
    revoked, outdated = serve.person(TENANT, "ann"), serve.person(TENANT, "ann")
    end_keys(serve, revoked, outdated)
    more = {
        "revoked key": f"Bearer {revoked.key}",
        "outdated key": f"Bearer {outdated.key}",
        "altered key": f"Bearer {revoked.key[:-4]}AAAA",
        "key without a scope": f"Bearer {serve.person(TENANT, 'bob', ('on_behalf',)).key}",
        "gateway": f"Bearer {serve.person(TENANT, 'bob', ('chat', 'memory:read', 'memory:write', 'on_behalf')).key}",
    }
    with httpx.Client(base_url=serve.server.url, timeout=60) as http:
        ann = Person(TENANT, "ann", issuer.token(TENANT, "ann"))
        yield a_scene(http, a_victim(http, ann, "/mcp"), issuer, more)


@pytest.fixture(scope="module")
def agent_scene(
    server_url: str, model: ScriptedOpenAI, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    """No worker changes the victim's memory meanwhile."""
    settings = {**model.settings, "worker": "false", **issuer.settings}
    with a_database(server_url) as where, a_server(tmp_path_factory.mktemp("agent"), where.owner, **settings) as server:
        server.start()
        server.wait()
        with httpx.Client(base_url=server.url, timeout=60) as http:
            ann = Person(TENANT, "ann", issuer.token(TENANT, "ann"))
            yield a_scene(http, a_victim(http, ann, "/brain/mcp", has_threads=True), issuer, {})


@pytest.fixture(scope="module")
def open_scene(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A server on somebody's own machine, which a page in their browser may try to reach."""
    with (
        a_database(server_url) as where,
        a_serving(tmp_path_factory.mktemp("open"), where, tenant_requests="0") as up,
        httpx.Client(base_url=up.server.url, timeout=60) as http,
    ):
        yield Scene(http, a_victim(http, Person("default", "local", ""), "/mcp"), {"colleague": ""})


def end_keys(serve: Serving, revoked: Person, outdated: Person) -> None:
    """One key is taken back, the time of the other is over."""
    with psycopg.connect(serve.where.owner) as connection:
        connection.execute("update brain.api_keys set revoked_at = now() where key_id = %s", [revoked.key_id])
        connection.execute("update brain.api_keys set expires_at = now() where key_id = %s", [outdated.key_id])


DOORS: Mapping[str, tuple[str, Callable[[Victim], Iterator[Probe]]]] = {
    "chat": ("serve_scene", chat_probes),
    "memory": ("serve_scene", memory_probes),
    "mcp": ("serve_scene", mcp_probes),
    "panel": ("serve_scene", panel_probes),
    "agent chat": ("agent_scene", chat_probes),
    "agent memory": ("agent_scene", memory_probes),
    "agent mcp": ("agent_scene", mcp_probes),
    "agent routes": ("agent_scene", agent_probes),
    "agent store": ("agent_scene", store_probes),
    "open chat": ("open_scene", chat_probes),
    "open memory": ("open_scene", memory_probes),
    "open mcp": ("open_scene", mcp_probes),
    "open panel": ("open_scene", panel_probes),
}
"""By name: behind which server it is, and what there is to ask for."""
GUARDED = tuple(each for each in DOORS if not each.startswith("open"))
OPEN = tuple(each for each in DOORS if each.startswith("open"))


@dataclass(frozen=True)
class Attack:
    """``sent`` makes requests of one that names another's things. Without ``statuses`` any below 500 will do."""

    name: str
    sent: Callable[[Probe, Scene], Sent]
    statuses: tuple[int, ...] = ()
    doors: tuple[str, ...] = GUARDED


WITH_HEADERS = tuple(each for each in GUARDED if each != "panel")
OWN = ("chat", "memory", "mcp", "panel")
FALSE = ("nobody", "forged", "unsigned", "expired", "other audience", "unknown key")
ENDED = ("revoked key", "outdated key", "altered key")
ATTACKS = (
    Attack("colleague", partial(show, "colleague")),
    Attack("namesake", partial(show, "namesake")),
    *(Attack(name, partial(show, name), (401,)) for name in FALSE),
    Attack("basic", partial(show, "basic"), (401,), WITH_HEADERS),
    *(Attack(name, partial(show, name), (401,), OWN) for name in ENDED),
    Attack("key without a scope", partial(show, "key without a scope"), (403,), OWN),
    Attack("two proofs", two_proofs, (400, 401), WITH_HEADERS),
    Attack("foreign page", from_foreign_page, (401, 403), (*GUARDED, *OPEN)),
    Attack("on behalf", partial(as_colleague, on_behalf)),
    Attack("named twice", twice_named, (400,), ("chat", "memory", "mcp")),
    Attack("rebound name", partial(as_colleague, to_rebound_name), (403,), (*OWN, *OPEN)),
    Attack("hostile texts", partial(as_colleague, with_hostile_texts)),
    Attack("hostile paths", partial(as_colleague, with_hostile_paths)),
    Attack("hostile headers", partial(as_colleague, with_hostile_headers)),
    Attack("deep json", partial(as_colleague, with_deep_json)),
    Attack("huge body", partial(as_colleague, with_huge_body), (403, 413), OWN),
)
ONCE = {"hostile texts", "hostile paths", "hostile headers", "deep json", "huge body"}
"""Attacks on how a route reads; they need no more than one request to each."""
AGAIN = {"agent chat", "agent memory", "agent mcp", "agent routes"}
ALWAYS = {"colleague", "namesake", "nobody", "forged", "two proofs"}


def a_case(door: str, attack: Attack) -> ParameterSet:
    """The agent server has the same routes of Brain's and the same check of who asks; its own are the slowest."""
    is_rare = door in AGAIN and attack.name not in ALWAYS
    marks = [pytest.mark.exhaustive] if is_rare else []
    return pytest.param(door, attack, id=f"{door}: {attack.name}", marks=marks)


@pytest.mark.parametrize(
    ("door", "attack"),
    [a_case(door, attack) for attack in ATTACKS for door in attack.doors],
)
def test_no_attack_gets_through(door: str, attack: Attack, request: pytest.FixtureRequest):
    server, ask_for = DOORS[door]
    scene: Scene = request.getfixturevalue(server)
    probes = list(ask_for(scene.victim))
    for probe in routes_of(probes) if attack.name in ONCE else probes:
        for sent in attack.sent(probe, scene):
            answer = send(scene.http, sent)
            tally[door] += 1
            check(answer, (*attack.statuses, 303) if door == "panel" and 401 in attack.statuses else attack.statuses)


def routes_of(probes: list[Probe]) -> list[Probe]:
    """One request for each route, and for each tool."""
    kinds = {(each.method, each.path.partition("?")[0], _tool(each.body)): each for each in probes}
    return list(kinds.values())


def _tool(body: Any) -> str:
    return str(cast("dict[str, Any]", body)["params"]["name"]) if isinstance(body, dict) and "jsonrpc" in body else ""


def send(http: httpx.Client, probe: Probe) -> httpx.Response:
    """What it is answered."""
    headers = [(name.encode(), value.encode("latin-1")) for name, value in probe.headers]
    return http.request(probe.method, probe.path, content=probe.content, headers=headers)


def check(answer: httpx.Response, statuses: tuple[int, ...]) -> None:
    """No leak, no failure of ours, and a code in each refusal."""
    asked = answer.request
    told = f"{asked.method} {asked.url} {asked.content[:300]!r} -> {answer.status_code} {answer.text[:500]}"
    assert MARKER not in f"{answer.text} {answer.headers}".lower(), told
    assert answer.status_code < 500, told
    assert not statuses or answer.status_code in statuses, told
    assert answer.status_code < 400 or answer.request.method == "HEAD" or has_code(answer), told


def has_code(answer: httpx.Response) -> bool:
    """Whether a refusal names its code: in our shapes, in OpenAI's, in the protocol's or in the agent server's."""
    if answer.request.url.path.startswith("/store"):  # the agent server's own, which tells by the status alone
        return answer.status_code in (400, 401, 404, 422)
    if "html" in answer.headers["content-type"]:
        return "<code>E_" in answer.text or answer.status_code == 409  # a form that was overtaken is shown again
    told = answer.json()
    error = told.get("error", told)
    return str(error.get("code", "")).startswith(("E_", "-32")) or "detail" in told


@pytest.mark.parametrize("server", ["serve_scene", "agent_scene"])
def test_nothing_is_smuggled_over_the_wire(server: str, request: pytest.FixtureRequest):
    scene: Scene = request.getfixturevalue(server)
    for sent in raw_requests(scene.tokens["colleague"]):
        answer = exchange(scene.http, sent)
        tally[f"{'agent ' if 'agent' in server else ''}wire"] += 1
        statuses = [int(each) for each in re.findall(rb"HTTP/1\.1 (\d{3})", answer)]
        assert all(status < 500 for status in statuses), (sent[:300], answer[:500])
        assert MARKER.encode() not in answer.lower(), (sent[:300], answer[:500])
        assert b"\nset-cookie: injected" not in answer.lower(), (sent[:300], answer[:500])
        assert 200 not in statuses[1:], (sent[:300], answer[:500])
    assert send(scene.http, prove(scene.tokens["colleague"], Probe("GET", "/v1/models"), scene)).status_code == 200


def exchange(http: httpx.Client, sent: bytes) -> bytes:
    """All that a server answers before it closes, or says nothing for a second."""
    answer = b""
    address = (http.base_url.host, http.base_url.port)
    with socket.create_connection(address, timeout=1) as connection, suppress(OSError):
        connection.sendall(sent)
        while piece := connection.recv(65_536):
            answer += piece
    return answer


async def test_a_client_over_stdio_gets_its_own_memory_alone(serve: Serving, serve_scene: Scene, tmp_path: Path):
    environment = {**serve.server.environment, "BRAIN_MCP_DESTRUCTIVE": "true"}
    arguments = ["mcp", "--tenant", TENANT, "--user", "bob"]
    process = await create_subprocess_exec(
        str(COMMAND), *arguments, env=environment, cwd=tmp_path, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        await ask_over(process, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
        for sent in stdio_messages(serve_scene.victim):
            answer = await ask_over(process, sent)
            tally["stdio"] += 1
            assert MARKER not in answer.lower(), (sent, answer)
            assert "E_INTERNAL" not in answer, (sent, answer)
    finally:
        process.kill()
        await process.wait()


def stdio_messages(victim: Victim) -> Iterator[Any]:
    """Every tool with the person's ids and an identity of the client's own making, hostile texts, and no messages."""
    for name, arguments in tool_arguments(victim):
        call = tool_call(name, arguments)
        who = {"user": victim.who.user, "tenant": victim.who.tenant}
        yield {**call, "params": {**call["params"], "_meta": who}}
        for text in TEXTS:
            for spoilt in spoil(arguments, text):
                call = tool_call(name, spoilt)
                yield json.dumps(call).encode() if text == SURROGATE else call  # no JSON: the library drops it
    yield from (b"{", b"\xff\xfe", b"\x00", *DEEP, b'{"jsonrpc": "2.0", "id": 7}', b"[]")


async def ask_over(process: Process, sent: Any) -> str:
    """The answer to a message; what is no message is followed by one that is answered."""
    assert process.stdin
    assert process.stdout
    if isinstance(sent, bytes):
        process.stdin.write(sent + b"\n")
        sent = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    process.stdin.write(json.dumps(sent).encode() + b"\n")
    said = ""
    while '"id":1' not in said.replace(" ", ""):
        line = await asyncio.wait_for(process.stdout.readline(), 120)
        assert line, "The process ended."
        said = line.decode()
    return said


@pytest.mark.parametrize("server", ["serve_scene", "agent_scene", "open_scene"])
def test_nothing_of_the_persons_was_changed(server: str, request: pytest.FixtureRequest):
    """Comes behind the attacks."""
    scene: Scene = request.getfixturevalue(server)
    assert json.dumps(scene.victim.before).lower().count(MARKER) >= 3
    assert scene.victim.is_unchanged()
    print(*(f"\n{door:14}{count:7,} attacks, 0 leaks" for door, count in sorted(tally.items())))
