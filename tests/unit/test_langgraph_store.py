"""Brain's memory behind LangGraph's store interface."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from langgraph.store.base import GetOp, PutOp, SearchOp

from brain.langgraph_store import BrainStore
from brain.store_operations import MAX_LABEL, MAX_LABELS, MAX_VALUE
from memory.embedding import Vector
from memory.errors import BrainError, unavailable
from memory.scope import Scope
from tests.fakes import NOW, Leanings, resources_of

pytestmark = pytest.mark.usefixtures("memory")


class Letters:
    """A model that counts two letters; it may be told to fail."""

    name = "test:letters"
    fails = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.fails:
            raise unavailable("The embedding model is away.")
        counts = [(text.count("a") + 0.01, text.count("b") + 0.01) for text in texts]
        return [(a / (a * a + b * b) ** 0.5, b / (a * a + b * b) ** 0.5) for a, b in counts]


@pytest.fixture
def store(scope: Scope) -> BrainStore:
    return BrainStore(resources_of(Leanings()), lambda: scope)


async def test_an_item_comes_back_with_its_times(store: BrainStore):
    await store.aput(("notes", "ann@example.com"), "k", {"text": "hello"})
    item = await store.aget(("notes", "ann@example.com"), "k")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (("notes", "ann@example.com"), "k", {"text": "hello"})
    assert item.created_at == item.updated_at == NOW
    await store.adelete(("notes", "ann@example.com"), "k")
    assert await store.aget(("notes", "ann@example.com"), "k") is None


async def test_whose_store_it_is_is_asked_at_every_call(scope: Scope):
    whose = [scope, replace(scope, key="group:x")]
    store = BrainStore(resources_of(Leanings()), lambda: whose[0])
    await store.aput(("n",), "k", {"a": 1})
    whose.reverse()
    assert await store.aget(("n",), "k") is None


async def test_the_last_of_several_writings_of_a_batch_counts(store: BrainStore):
    told = await store.abatch(
        [PutOp(("n",), "k", {"a": 1}), GetOp(("n",), "k"), PutOp(("n",), "k", {"a": 2}), SearchOp(("n",))]
    )
    assert told == [None, None, None, []]
    item = await store.aget(("n",), "k")
    assert item is not None
    assert item.value == {"a": 2}


@pytest.mark.parametrize(
    ("index", "found"),
    [(None, True), (["title"], True), (["tags[*]"], False), (False, False), (["nothing.here"], False)],
)
async def test_index_says_by_which_texts_an_item_is_found(store: BrainStore, index: Any, found: bool):
    await store.aput(("n",), "k", {"title": "Green tea", "tags": ["drink"]}, index=index)
    scores = [item.score is not None for item in await store.asearch(("n",), query="green tea")]
    assert scores == [found]


async def test_vectors_rank_when_there_is_a_model_and_words_when_it_fails(scope: Scope):
    model = Letters()
    store = BrainStore(resources_of(Leanings(embedder=model)), lambda: scope)
    await store.aput(("n",), "a", {"t": "aaa"}, index=["t"])
    await store.aput(("n",), "b", {"t": "bbb"}, index=["t"])
    assert [item.key for item in await store.asearch(("n",), query="bb")] == ["b", "a"]
    model.fails = True
    await store.aput(("n",), "c", {"t": "tea"}, index=["t"])
    assert next(item.key for item in await store.asearch(("n",), query="tea")) == "c"


async def test_a_store_may_give_everything_a_time_to_live(scope: Scope):
    resources = resources_of(Leanings())
    store = BrainStore(resources, lambda: scope, {"default_ttl": 1, "refresh_on_read": False})
    await store.aput(("n",), "short", {})
    await store.aput(("n",), "long", {}, ttl=None)
    await resources.memory.store.sweep(NOW.replace(hour=13), 1000)  # it takes what other tests left as well
    assert [item.key for item in await store.asearch(("n",))] == ["long"]


LOOP: dict[str, Any] = {}
LOOP["again"] = LOOP

BAD: list[tuple[str, Callable[[BrainStore], Any]]] = [
    ("no label", lambda store: store.aput((), "k", {})),
    ("empty label", lambda store: store.aput(("",), "k", {})),
    ("long label", lambda store: store.aput(("x" * (MAX_LABEL + 1),), "k", {})),
    ("many labels", lambda store: store.aput(("x",) * (MAX_LABELS + 1), "k", {})),
    ("label of another type", lambda store: store.aput((1,), "k", {})),  # pyright: ignore[reportArgumentType]
    ("NUL in a key", lambda store: store.aput(("n",), "k\x00", {})),
    ("broken Unicode", lambda store: store.aput(("n",), "\ud800", {})),
    ("empty key", lambda store: store.aget(("n",), "")),
    ("not JSON", lambda store: store.aput(("n",), "k", {"a": object()})),
    ("not a number", lambda store: store.aput(("n",), "k", {"a": float("nan")})),
    ("endless", lambda store: store.aput(("n",), "k", LOOP)),
    ("too large", lambda store: store.aput(("n",), "k", {"a": "x" * MAX_VALUE})),
    ("no time to live", lambda store: store.aput(("n",), "k", {}, ttl=0)),
    ("no end in sight", lambda store: store.aput(("n",), "k", {}, ttl=float("inf"))),
    ("negative limit", lambda store: store.asearch(("n",), limit=-1)),
    ("negative offset", lambda store: store.asearch(("n",), offset=-1)),
    ("unknown operator", lambda store: store.asearch(("n",), filter={"a": {"$regex": "."}})),
    ("operators among keys", lambda store: store.asearch(("n",), filter={"a": {"$gt": 1, "b": 2}})),
    ("NUL in a question", lambda store: store.asearch(("n",), query="\x00")),
]


@pytest.mark.parametrize(("what", "call"), BAD, ids=[what for what, _ in BAD])
async def test_what_cannot_be_is_refused_with_a_code(store: BrainStore, what: str, call: Callable[[BrainStore], Any]):
    with pytest.raises(BrainError) as refused:
        await call(store)
    assert refused.value.code == "E_BAD_REQUEST"


async def test_threads_call_it_synchronously_and_its_own_loop_may_not(store: BrainStore):
    await store.aput(("n",), "k", {"a": 1})
    found = await asyncio.to_thread(store.search, ("n",))
    assert [item.key for item in found] == ["k"]
    with pytest.raises(BrainError, match="async"):
        store.get(("n",), "k")


def test_it_works_where_there_is_no_event_loop(store: BrainStore):
    store.put(("n",), "k", {"a": 1})
    found = store.get(("n",), "k")
    assert found is not None
    assert found.value == {"a": 1}
    assert store.list_namespaces(prefix=("n",)) == [("n",)]
    store.delete(("n",), "k")
    assert asyncio.run(store.asearch(("n",))) == []
    assert [each.name for each in threading.enumerate()].count("brain-store") >= 1
