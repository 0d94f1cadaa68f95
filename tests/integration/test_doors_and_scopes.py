"""Which scope each door asks for: a key with that scope alone comes in, a key with all the others is refused."""

from collections.abc import Iterator, Sequence

import httpx
import pytest
from starlette.routing import Route

from apps.access.roles import with_implied
from apps.memory_api.http import MemoryPath
from apps.servers import agent_server
from apps.servers.serve import build_app
from brain.settings import Settings
from memory.api_keys import KEY_SCOPES
from memory.postgres.roles import Addresses
from tests.conftest import a_database
from tests.integration import own_database
from tests.integration.door_scopes import CLOSED, OF_LANGGRAPH, ON_AGENT, ON_SERVE, STREAMS, WORDLESS, Door, doors_of
from tests.integration.server import a_server
from tests.integration.serving import SECRET, a_serving, make_person

migrated = own_database.test_addresses


@pytest.fixture(scope="module")
def serve(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, Addresses]]:
    chosen = {"auth_api_keys": "true", "tenant_requests": "0", "trusted_proxies": "127.0.0.1", "panel_secret": SECRET}
    with (
        a_database(server_url) as where,
        a_serving(tmp_path_factory.mktemp("serve"), where, **chosen) as up,
        httpx.Client(base_url=up.server.url, timeout=60) as http,
    ):
        yield http, where


@pytest.fixture(scope="module")
def agent(migrated: Addresses, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, Addresses]]:
    chosen = {"auth_api_keys": "true", "tenant_requests": "0", "worker": "false", "embeddings": "none"}
    with a_server(tmp_path_factory.mktemp("agent"), migrated.owner, **chosen) as server:
        server.start()
        server.wait()
        with httpx.Client(base_url=server.url, timeout=60) as http:
            yield http, migrated


def knock_with_each_key(doors: Sequence[Door], http: httpx.Client, where: Addresses) -> None:
    """One key of a person has the scope of a door alone, another has all the others."""
    for needs in KEY_SCOPES:
        only = make_person(where, scopes=(needs,))
        others = make_person(
            where, only.tenant, scopes=tuple(each for each in KEY_SCOPES if needs not in with_implied((each,)))
        )
        for door in (each for each in doors if each.needs == needs):
            came_in, refused = door.knock(http, only), door.knock(http, others)
            assert came_in.status_code not in (401, 403), (door, came_in.text)
            assert "lacks the scope" not in came_in.text, (door, came_in.text)
            if silence := WORDLESS.get((door.method, door.path)):
                assert (refused.status_code, refused.text) == silence, door
                continue
            assert f"lacks the scope {needs}" in refused.text, (door, refused.status_code, refused.text)
            assert refused.status_code == 403 or door.path in STREAMS, (door, refused.status_code)


def test_each_door_of_serve_asks_for_its_scope(serve: tuple[httpx.Client, Addresses]):
    knock_with_each_key(ON_SERVE, *serve)


def test_each_door_of_the_agent_server_asks_for_its_scope(agent: tuple[httpx.Client, Addresses]):
    knock_with_each_key([*OF_LANGGRAPH, *ON_AGENT], *agent)


def test_every_route_of_brains_is_in_the_table():
    for routes, doors in ((build_app(Settings()).routes, ON_SERVE), (agent_server.app.routes, ON_AGENT)):
        assert {found for each in routes if isinstance(each, Route) for found in ways_in(each)} == {
            (each.method, each.path) for each in doors
        }


def ways_in(route: Route) -> set[tuple[str, str]]:
    """Method and path; the route that catches the rest answers every method alike."""
    if isinstance(route.endpoint, MemoryPath):
        return {(method, each.path) for method, each in route.endpoint.endpoints.items()}
    methods = {"GET"} if route.path.endswith("{rest:path}") else set(route.methods or ()) - {"HEAD"}
    return {(method, route.path) for method in methods}


def test_every_route_of_langgraphs_is_in_the_table(agent: tuple[httpx.Client, Addresses]):
    document = agent[0].get("/openapi.json").json()["paths"]
    told = {(method.upper(), path) for path, methods in document.items() for method in methods}
    brains = {path for _, path in told if path.startswith(("/brain/", "/v1/"))}
    known = {(each.method, each.path) for each in (*OF_LANGGRAPH, *doors_of(CLOSED))}
    assert {each for each in told if each[1] not in brains} == known


def test_no_key_opens_what_is_closed(agent: tuple[httpx.Client, Addresses]):
    http, where = agent
    ann = make_person(where, scopes=KEY_SCOPES)
    for door in doors_of(CLOSED):
        assert door.knock(http, ann).status_code in (403, 404), door
