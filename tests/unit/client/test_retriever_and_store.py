"""Memory as a retriever and as a store, over the wire."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from brain_memory import BrainUnavailable
from brain_memory.langchain import BrainRetriever, RemoteStore

from tests.unit.client.fake_server import FakeServer, Mode, call

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ITEM: dict[str, Any] = {
    "namespace": ["notes", "ann"],
    "key": "tea",
    "value": {"text": "green"},
    "created_at": NOW.isoformat(),
    "updated_at": NOW.isoformat(),
}

pytestmark = pytest.mark.parametrize("mode", ["sync", "async"])


def a_store(*results: Any) -> tuple[RemoteStore, FakeServer]:
    server = FakeServer()
    server.answers["store/batch"] = {"results": list(results)}
    return RemoteStore(server.client()), server


async def test_a_retriever_brings_documents_that_say_where_they_come_from(mode: Mode):
    server = FakeServer()
    retriever = BrainRetriever(client=server.client(), user="ann", limit=3)
    (found,) = await call(mode, retriever.invoke, "Which tea?")
    assert (found.id, found.page_content) == ("m1", "Ann likes green tea.")
    assert (found.metadata["source"], found.metadata["trust"], found.metadata["score"]) == ("brain", "data", 0.9)
    assert server.bodies("recall") == [{"query": "Which tea?", "limit": 3}]
    assert server.requests[0].headers["x-brain-user"] == "ann"


async def test_a_value_is_written_and_taken_away(mode: Mode):
    store, server = a_store(None)
    await call(mode, store.put, ("notes", "ann"), "tea", {"text": "green"}, index=["text"], ttl=5)
    await call(mode, store.put, ("notes", "ann"), "tea", {"text": "green"}, index=False)
    await call(mode, store.delete, ("notes", "ann"), "tea")
    place = {"namespace": ["notes", "ann"], "key": "tea"}
    assert [each["operations"] for each in server.bodies("store/batch")] == [
        [{"op": "put", **place, "value": {"text": "green"}, "index": ["text"], "ttl": 5}],
        [{"op": "put", **place, "value": {"text": "green"}, "index": False}],
        [{"op": "delete", **place}],
    ]


async def test_a_value_is_read_with_its_times(mode: Mode):
    store, server = a_store(ITEM)
    found = await call(mode, store.get, ("notes", "ann"), "tea")
    assert (found.value, found.namespace, found.created_at) == ({"text": "green"}, ("notes", "ann"), NOW)
    server.answers["store/batch"] = {"results": [None]}
    assert await call(mode, store.get, ("notes", "ann"), "tea") is None


async def test_a_search_tells_what_is_wanted_and_brings_scores(mode: Mode):
    store, server = a_store([{**ITEM, "score": 0.5}])
    (found,) = await call(mode, store.search, ("notes",), query="tea", filter={"kind": "a"}, limit=3)
    assert (found.key, found.score) == ("tea", 0.5)
    assert server.bodies("store/batch")[0]["operations"] == [
        {
            "op": "search",
            "namespace_prefix": ["notes"],
            "filter": {"kind": "a"},
            "limit": 3,
            "offset": 0,
            "query": "tea",
            "refresh_ttl": True,
        }
    ]


async def test_namespaces_are_listed_by_their_beginning(mode: Mode):
    store, server = a_store([["notes", "ann"]])
    assert await call(mode, store.list_namespaces, prefix=("notes",), max_depth=2) == [("notes", "ann")]
    (asked,) = server.bodies("store/batch")[0]["operations"]
    assert asked["match_conditions"] == [{"match_type": "prefix", "path": ["notes"]}]


async def test_a_store_never_pretends_to_have_written(mode: Mode):
    server = FakeServer([httpx.ConnectError("refused")])
    with pytest.raises(BrainUnavailable):
        await call(mode, RemoteStore(server.client()).put, ("notes",), "tea", {"text": "green"})
    store, _ = a_store()
    with pytest.raises(BrainUnavailable, match="answered 0 of 1"):
        await call(mode, store.put, ("notes",), "tea", {"text": "green"})
