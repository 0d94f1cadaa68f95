"""LangGraph's store."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from language.questions import analyse_question
from memory.ports import MemoryCore
from memory.recall.query import RecallQuery
from memory.scope import Scope
from memory.store_items import (
    Namespace,
    NamespaceSearch,
    PathCondition,
    StoreAnswer,
    StoredItem,
    StoreGet,
    StorePut,
    StoreRead,
    StoreSearch,
    StoreText,
)
from tests.contract.builders import at

NOTES = ("notes", "ann@example.com")


async def put(
    memory: MemoryCore, scope: Scope, key: str, value: dict[str, Any] | None, namespace: Namespace = NOTES, **more: Any
) -> None:
    minutes = more.pop("minutes", 0)
    texts = tuple(StoreText(text=str(each)) for each in (value or {}).values() if isinstance(each, str))
    written = StorePut(namespace=namespace, key=key, value=value, texts=texts, **more)
    await memory.store.run(scope, [], [written], at(minutes))


async def ask(memory: MemoryCore, scope: Scope, read: StoreRead, minutes: int = 0) -> StoreAnswer:
    return (await memory.store.run(scope, [read], [], at(minutes)))[0]


async def get(
    memory: MemoryCore, scope: Scope, key: str, namespace: Namespace = NOTES, minutes: int = 0
) -> StoredItem | None:
    found = await ask(memory, scope, StoreGet(namespace=namespace, key=key), minutes)
    assert found is None or isinstance(found, StoredItem)
    return found


async def keys(memory: MemoryCore, scope: Scope, search: StoreSearch, minutes: int = 0) -> list[str]:
    found = await ask(memory, scope, search, minutes)
    assert isinstance(found, list)
    return [each.key for each in found if isinstance(each, StoredItem)]


async def test_what_is_put_is_got_again(memory: MemoryCore, scope: Scope):
    value = {"text": "猫 likes fish", "deep": {"list": [1, 2.5, None, True, {"a": "b"}]}}
    await put(memory, scope, "k", value)
    assert await get(memory, scope, "k") == StoredItem(
        namespace=NOTES, key="k", value=value, created_at=at(), updated_at=at(), version=1
    )
    assert await get(memory, scope, "other") is None
    assert await get(memory, scope, "k", ("notes",)) is None


async def test_every_writing_is_a_version(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "k", {"n": 1})
    await put(memory, scope, "k", {"n": 2}, minutes=1)
    found = await get(memory, scope, "k")
    assert found is not None
    assert (found.version, found.created_at, found.updated_at) == (2, at(), at(1))
    await put(memory, scope, "k", None, minutes=2)
    await put(memory, scope, "k", None, minutes=3)
    assert await get(memory, scope, "k") is None
    await put(memory, scope, "k", {"n": 3}, minutes=4)
    told = await memory.store.history(scope, NOTES, "k")
    assert [(each.version, each.change, each.value) for each in told] == [
        (1, "put", {"n": 1}),
        (2, "put", {"n": 2}),
        (3, "delete", None),
        (4, "put", {"n": 3}),
    ]


async def test_reads_of_a_batch_see_what_was_there_before_its_writes(memory: MemoryCore, scope: Scope):
    written = StorePut(namespace=NOTES, key="k", value={"n": 1})
    reads = [StoreGet(namespace=NOTES, key="k"), StoreSearch(prefix=()), NamespaceSearch()]
    assert await memory.store.run(scope, reads, [written], at()) == [None, [], []]
    assert await keys(memory, scope, StoreSearch(prefix=())) == ["k"]


async def test_nobody_else_has_it(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "k", {"n": 1})
    for stranger in (
        replace(scope, user_id=uuid4()),
        replace(scope, tenant_id=uuid4()),
        replace(scope, key="group:x"),
    ):
        assert await get(memory, stranger, "k") is None
        assert await keys(memory, stranger, StoreSearch(prefix=())) == []
        assert await ask(memory, stranger, NamespaceSearch()) == []
        await put(memory, stranger, "k", None)
        await put(memory, stranger, "k", {"n": 2})
        assert await memory.store.history(stranger, NOTES, "k") != await memory.store.history(scope, NOTES, "k")
    found = await get(memory, scope, "k")
    assert found is not None
    assert found.value == {"n": 1}


async def test_a_group_has_one_item_of_a_key(memory: MemoryCore, scope: Scope):
    ann = replace(scope, key="group:kitchen")
    ben = replace(ann, user_id=uuid4())
    await put(memory, ann, "k", {"n": 1})
    await put(memory, ben, "k", {"n": 2})
    found = await get(memory, ann, "k")
    assert found is not None
    assert (found.value, found.version) == ({"n": 2}, 2)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["a", "b", "c"]),
        ({"n": 1}, ["a"]),
        ({"n": {"$gt": 1}}, ["b"]),
        ({"n": {"$gte": 1, "$lt": 2}}, ["a"]),
        ({"n": {"$lte": 2}}, ["a", "b"]),
        ({"n": {"$ne": 1}}, ["b", "c"]),
        ({"n": None}, ["c"]),
        ({"day": {"$gte": "2026-02"}}, ["b"]),
        ({"deep": {"x": {"$eq": [1]}}}, ["c"]),
        ({"deep": {"x": [{"$gt": 0}]}}, ["c"]),
        ({"n": {"$eq": 2}, "day": "2026-02-01"}, ["b"]),
        ({"n": {"$gt": "0"}}, []),
    ],
)
async def test_filters(memory: MemoryCore, scope: Scope, wanted: dict[str, Any], found: list[str]):
    await put(memory, scope, "a", {"n": 1, "day": "2026-01-01"})
    await put(memory, scope, "b", {"n": 2, "day": "2026-02-01"})
    await put(memory, scope, "c", {"n": None, "deep": {"x": [1]}})
    assert sorted(await keys(memory, scope, StoreSearch(prefix=NOTES[:1], filter=wanted))) == found


async def test_a_prefix_is_made_of_whole_labels(memory: MemoryCore, scope: Scope):
    for namespace in (("a",), ("a", "b"), ("a.b",), ("ab",)):
        await put(memory, scope, "/".join(namespace), {}, namespace)
    assert sorted(await keys(memory, scope, StoreSearch(prefix=("a",)))) == ["a", "a/b"]


async def test_the_newest_come_first_in_pages(memory: MemoryCore, scope: Scope):
    for number in range(5):
        await put(memory, scope, str(number), {}, minutes=number)
    assert await keys(memory, scope, StoreSearch(prefix=(), limit=2)) == ["4", "3"]
    assert await keys(memory, scope, StoreSearch(prefix=(), limit=2, offset=4)) == ["0"]


async def test_words_find_what_says_them(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "a", {"text": "The cat sleeps in the kitchen"})
    await put(memory, scope, "b", {"text": "Bicycles are parked in the cellar"})
    await put(memory, scope, "c", {"n": 1}, minutes=1)
    found = await ask(memory, scope, StoreSearch(prefix=(), query="where do the cats sleep?"))
    assert isinstance(found, list)
    scores = {each.key: each.score for each in found if isinstance(each, StoredItem)}
    assert next(iter(scores)) == "a"
    assert scores["c"] is None
    assert 0 < (scores["a"] or 0) <= 1


async def test_vectors_find_what_is_near(memory: MemoryCore, scope: Scope):
    for key, vector in (("near", (0.8, 0.6)), ("far", (0.0, 1.0))):
        texts = (StoreText(text=key, model="m", embedding=vector), StoreText(text=key, model="m", embedding=(0.0, 1.0)))
        await memory.store.run(scope, [], [StorePut(namespace=NOTES, key=key, value={}, texts=texts)], at())
    asked = StoreSearch(prefix=(), query="anything", model="m", embedding=(1.0, 0.0))
    found = await ask(memory, scope, asked)
    assert isinstance(found, list)
    scores = [(each.key, each.score) for each in found if isinstance(each, StoredItem)]
    assert scores == [("near", pytest.approx(0.8, abs=1e-3)), ("far", pytest.approx(0.0, abs=1e-3))]


async def test_what_has_expired_is_not_there(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "k", {"n": 1}, ttl_minutes=10)
    assert await get(memory, scope, "k", minutes=9) is not None
    assert await get(memory, scope, "k", minutes=18) is not None, "reading it gave it ten minutes more"
    assert await keys(memory, scope, StoreSearch(prefix=(), refresh=False), minutes=27) == ["k"]
    assert await get(memory, scope, "k", minutes=28) is None
    assert await ask(memory, scope, NamespaceSearch(), minutes=28) == []
    await put(memory, scope, "k", {"n": 2}, minutes=30)
    found = await get(memory, scope, "k", minutes=30)
    assert found is not None
    assert (found.created_at, found.version) == (at(30), 2)


async def test_sweeping_leaves_a_record_without_values(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "old", {"text": "My code is 4711"}, ("memories",), ttl_minutes=1)
    await put(memory, scope, "new", {"n": 1}, ttl_minutes=100)
    assert await memory.store.sweep(at(50), 100) >= 1
    told = await memory.store.history(scope, ("memories",), "old")
    assert [(each.change, each.value) for each in told] == [("expire", None)]
    assert await recalled(memory, scope, "code") == []
    assert await get(memory, scope, "new", minutes=50) is not None


async def test_namespaces_are_listed_by_prefix_suffix_and_depth(memory: MemoryCore, scope: Scope):
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("B", "c")):
        await put(memory, scope, "k", {}, namespace)

    async def listed(**search: Any) -> StoreAnswer:
        return await ask(memory, scope, NamespaceSearch(**search))

    prefix = PathCondition(match_type="prefix", path=("a", "*"))
    suffix = PathCondition(match_type="suffix", path=("c",))
    assert await listed() == [("B", "c"), ("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c")]
    assert await listed(conditions=(prefix, suffix)) == [("a", "b", "c"), ("a", "x", "c")]
    assert await listed(max_depth=2, limit=2, offset=1) == [("a", "b"), ("a", "x")]


async def recalled(memory: MemoryCore, scope: Scope, question: str, minutes: int = 0) -> list[tuple[str, str, str]]:
    query = RecallQuery(text=question, question=analyse_question(question), at=at(minutes))
    found = await memory.index.candidates(scope, query)
    return [(each.lane, each.role, each.text) for each in found.candidates]


async def test_only_texts_under_memories_are_recalled_and_as_the_words_of_a_tool(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "k", {"content": "Ann prefers green tea"}, ("memories", "prefs"))
    await put(memory, scope, "k", {"content": "Green tea is in the data"}, ("data",))
    assert await recalled(memory, scope, "green tea") == [("store", "tool", "Ann prefers green tea")]
    assert await memory.index.rebuild(scope) == 1
    assert await recalled(memory, scope, "green tea") == [("store", "tool", "Ann prefers green tea")]
    await put(memory, scope, "k", None, ("memories", "prefs"))
    assert await recalled(memory, scope, "green tea") == []


async def test_a_recalled_text_ends_with_its_time_to_live(memory: MemoryCore, scope: Scope):
    await put(memory, scope, "k", {"content": "Green tea is on offer"}, ("memories",), ttl_minutes=5)
    assert len(await recalled(memory, scope, "green tea", minutes=4)) == 1
    assert await recalled(memory, scope, "green tea", minutes=6) == []
