"""The store over HTTP: everybody's own, whatever namespace is named; and the doors that stay shut."""

from typing import Any

import httpx
import pytest

from tests.integration.callers import REFUSED, Callers, says, status_of
from tests.integration.issuer import Issuer
from tests.integration.server import START, Server


async def test_everybody_finds_their_own_items_and_nobody_elses(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann@example.com")
    strangers = [callers.person(guarded, "acme", "bob"), callers.person(guarded, "other", "ann@example.com")]
    await ann.store.put_item(["notes", "work"], key="k", value={"text": "The safe opens with 4711"})
    await ann.store.put_item(["memories"], key="m", value={"content": "Ann prefers green tea"})
    for stranger in strangers:
        for namespace in (["notes", "work"], ["memories"], ["acme", "ann"], ["ann"]):
            assert await stranger.store.get_item(namespace, key="k") is None
            assert (await stranger.store.search_items(namespace))["items"] == []
        assert (await stranger.store.search_items([]))["items"] == []
        assert (await stranger.store.list_namespaces())["namespaces"] == []
        await stranger.store.delete_item(["notes", "work"], key="k")
        await stranger.store.put_item(["notes", "work"], key="k", value={"text": "mine"})
    item: Any = await ann.store.get_item(["notes", "work"], key="k")
    assert (item["namespace"], item["value"]) == (["notes", "work"], {"text": "The safe opens with 4711"})
    found: Any = await ann.store.search_items(["notes"], query="safe", filter={"text": {"$ne": "x"}})
    assert [each["key"] for each in found["items"]] == ["k"]
    assert (await ann.store.list_namespaces(prefix=["notes"]))["namespaces"] == [["notes", "work"]]


async def test_a_store_needs_a_token(guarded: Server):
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START) as http:
        put = await http.put("/store/items", json={"namespace": ["n"], "key": "k", "value": {}})
        assert put.status_code == 401
        assert (await http.get("/store/items", params={"namespace": "n", "key": "k"})).status_code == 401


async def test_bad_requests_to_the_store_are_told_by_a_code(guarded: Server, issuer: Issuer):
    headers = issuer.bearer("acme", "ann")
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START, headers=headers) as http:
        asked = {"namespace_prefix": ["n"], "filter": {"a": {"$regex": "x"}}}
        told = await http.post("/store/items/search", json=asked)
    assert 400 <= told.status_code < 600
    assert "Traceback" not in told.text


@pytest.mark.parametrize("asked", [{}, {"query": "tea"}, {"namespace_prefix": None}])
async def test_a_search_that_says_not_where_is_refused_with_a_code(guarded: Server, issuer: Issuer, asked: Any):
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START, headers=issuer.bearer("acme", "ann")) as http:
        told = await http.post("/store/items/search", json=asked)
        assert (told.status_code, told.json()["detail"].partition(":")[0]) == (400, "E_BAD_REQUEST")
        assert (await http.post("/store/items/search", json={**asked, "namespace_prefix": []})).status_code == 200
        assert (await http.post("/store/items/search", content=b"{")).status_code == 422


async def test_what_is_put_under_memories_is_recalled_in_a_turn(open_server: Server, callers: Callers):
    client = callers.anybody(open_server)
    await client.store.put_item(["memories"], key="tea", value={"content": "The user's favourite drink is oolong tea"})
    thread = await client.threads.create()
    told = await says(client, thread["thread_id"], "What is my favourite drink?")
    # Whoever else talked to this server without a name left turns of the same person.
    assert ("store", "tool") in [(each["lane"], each["role"]) for each in told["memories"]]
    assert "oolong" in told["messages"][-1]["content"]


async def test_an_assistant_with_a_bad_context_is_refused_when_it_is_made(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann")
    for context in ({"usr": "ann"}, {"max_memories": 1_000}, {"prompt_variant": 3}):
        with pytest.raises(REFUSED) as refused:
            await ann.assistants.create("brain", context=context)
        assert status_of(refused.value) == 422
        assert "E_BAD_REQUEST" in refused.value.response.text
    made = await ann.assistants.create("brain", context={"max_memories": 3})
    with pytest.raises(REFUSED) as refused:
        await ann.assistants.update(made["assistant_id"], context={"max_memories": -1})
    assert status_of(refused.value) == 422


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/a2a/brain", "/.well-known/agent-card.json"])
async def test_mcp_and_a2a_of_the_agent_server_are_off_also_for_who_signed_in(
    guarded: Server, issuer: Issuer, path: str
):
    headers = issuer.bearer("acme", "ann")
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START, headers=headers) as http:
        told = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert (await http.post(path, json=told)).status_code in {404, 405}
        assert (await http.get(path)).status_code in {404, 405}
