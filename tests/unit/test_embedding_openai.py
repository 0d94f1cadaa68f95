"""Embeddings over the wire: what is asked, in which portions, and what becomes of every way to fail."""

import json
import math
from collections.abc import AsyncGenerator

import httpx
import pytest
import respx

from brain.embeddings.openai import MAX_BATCH_BYTES, MAX_BATCH_TEXTS, TEXT_BYTES, OpenAIEmbedder
from memory.errors import BrainError
from tests.fakes import a_settings
from tests.openai_wire import Json, embeddings, error
from tests.respx_httpx2 import HTTPX2
from tests.unit.models.client import body_of, request_of

BASE_URL = "https://models.test/v1"
DIMENSIONS = 4


@pytest.fixture
async def wire() -> AsyncGenerator[respx.Router]:
    with respx.mock(base_url=BASE_URL, using=HTTPX2, assert_all_called=False) as router:
        yield router


def embedder() -> OpenAIEmbedder:
    return OpenAIEmbedder("small", a_settings(base_url=BASE_URL, openai_api_key="sk-test"))


def answer(request: httpx.Request) -> httpx.Response:
    body = json.loads(request.content)
    return httpx.Response(200, json=embeddings(body["input"], DIMENSIONS, body["encoding_format"], body["model"]))


def with_vectors(*vectors: object) -> httpx.Response:
    data = [{"object": "embedding", "index": place, "embedding": each} for place, each in enumerate(vectors)]
    return httpx.Response(200, json={"object": "list", "data": data, "model": "small", "usage": {}})


def texts_of(route: respx.Route) -> list[list[str]]:
    return [body_of(route, call)["input"] for call in range(route.call_count)]


async def test_texts_come_back_as_unit_vectors_under_the_models_name(wire: respx.Router):
    route = wire.post("/embeddings").mock(side_effect=answer)
    vectors = await embedder().embed(["green tea", "rain"])
    body: Json = body_of(route)
    assert embedder().name == "openai:small"
    assert (body["model"], body["input"], body["encoding_format"]) == ("small", ["green tea", "rain"], "float")
    assert request_of(route).headers["authorization"] == "Bearer sk-test"
    assert [len(vector) for vector in vectors] == [DIMENSIONS, DIMENSIONS]
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0, 1.0])


async def test_vectors_are_made_unit_vectors_where_a_server_does_not(wire: respx.Router):
    wire.post("/embeddings").mock(return_value=with_vectors([3.0, 4.0]))
    assert await embedder().embed(["x"]) == [pytest.approx((0.6, 0.8))]


async def test_vectors_are_put_in_the_order_of_the_texts(wire: respx.Router):
    shuffled = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    wire.post("/embeddings").mock(return_value=httpx.Response(200, json={"data": shuffled}))
    assert await embedder().embed(["first", "second"]) == [(1.0, 0.0), (0.0, 1.0)]


async def test_nothing_to_embed_asks_nobody(wire: respx.Router):
    route = wire.post("/embeddings").mock(side_effect=answer)
    assert await embedder().embed([]) == []
    assert route.call_count == 0


async def test_many_texts_travel_in_batches(wire: respx.Router):
    route = wire.post("/embeddings").mock(side_effect=answer)
    assert len(await embedder().embed(["word"] * (MAX_BATCH_TEXTS + 1))) == MAX_BATCH_TEXTS + 1
    assert [len(batch) for batch in texts_of(route)] == [MAX_BATCH_TEXTS, 1]


async def test_long_texts_are_cut_and_travel_in_smaller_batches(wire: respx.Router):
    route = wire.post("/embeddings").mock(side_effect=answer)
    await embedder().embed(["记" * 10_000] * 40)
    batches = texts_of(route)
    assert max(len(text.encode()) for batch in batches for text in batch) <= TEXT_BYTES
    assert max(sum(len(text.encode()) for text in batch) for batch in batches) <= MAX_BATCH_BYTES
    assert sum(map(len, batches)) == 40


async def test_an_empty_text_and_a_lone_surrogate_are_sent_as_something(wire: respx.Router):
    route = wire.post("/embeddings").mock(side_effect=answer)
    await embedder().embed(["", "a\ud83db"])
    assert texts_of(route) == [[" ", "a?b"]]


async def test_a_batch_that_the_server_finds_too_large_is_asked_for_in_halves(wire: respx.Router):
    def small_server(request: httpx.Request) -> httpx.Response:
        too_large = len(json.loads(request.content)["input"]) > 2
        return httpx.Response(413, json=error("batch size 5 > 2")) if too_large else answer(request)

    wire.post("/embeddings").mock(side_effect=small_server)
    words = ["tea", "rain", "sun", "snow", "fog"]
    assert await embedder().embed(words) == [(await embedder().embed([word]))[0] for word in words]


async def test_a_single_text_that_is_refused_says_so_and_is_not_asked_again(wire: respx.Router):
    route = wire.post("/embeddings").mock(return_value=httpx.Response(400, json=error("no")))
    with pytest.raises(BrainError, match="E_BAD_REQUEST") as refused:
        await embedder().embed(["x"])
    assert (refused.value.is_retryable, route.call_count) == (False, 1)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (httpx.ConnectError("refused"), "E_DEP_UNAVAILABLE"),
        (httpx.ReadTimeout("slow"), "E_DEP_TIMEOUT"),
        (httpx.Response(429, json=error("slow down", "rate_limit_error")), "E_DEP_UNAVAILABLE"),
        (httpx.Response(500, json=error("oh")), "E_DEP_UNAVAILABLE"),
        (httpx.Response(503, content=b"<html>"), "E_DEP_UNAVAILABLE"),
        (httpx.Response(401, json=error("who are you")), "E_CONFIG"),
        (httpx.Response(403, json=error("not you")), "E_CONFIG"),
        (httpx.Response(404, json=error("no such model")), "E_CONFIG"),
        (
            httpx.Response(200, content=b"<html>Log in</html>", headers={"content-type": "text/html"}),
            "E_DEP_UNAVAILABLE",
        ),
        (httpx.Response(200, content=b'{"data": [', headers={"content-type": "application/json"}), "E_DEP_UNAVAILABLE"),
        (httpx.Response(200, json={"error": {"message": "no"}}), "E_DEP_UNAVAILABLE"),
        (httpx.Response(200, json={"data": []}), "E_DEP_UNAVAILABLE"),
        (httpx.Response(200, json=[1, 2]), "E_DEP_UNAVAILABLE"),
        (with_vectors(None, None), "E_DEP_UNAVAILABLE"),
        (with_vectors([0.0, 0.0], [1.0, 0.0]), "E_DEP_UNAVAILABLE"),
        (with_vectors([1.0, 0.0], [1.0]), "E_DEP_UNAVAILABLE"),
        (with_vectors([], []), "E_DEP_UNAVAILABLE"),
        (with_vectors([1.0, 0.0]), "E_DEP_UNAVAILABLE"),
    ],
)
async def test_every_way_to_fail_has_a_code_and_is_not_asked_again_here(
    wire: respx.Router, failure: httpx.Response | Exception, code: str
):
    route = wire.post("/embeddings").mock(side_effect=[failure, failure])
    with pytest.raises(BrainError) as refused:
        await embedder().embed(["green tea", "rain"])
    assert (refused.value.code, route.call_count) == (code, 1)
    assert "sk-test" not in str(refused.value)
