"""The encoder of the package: real weights, in this process."""

import asyncio
from time import sleep
from typing import Any

import pytest

from brain.embeddings import encoder as module
from brain.embeddings.encoder import MODEL, RESOURCES, SentenceEncoder, shared_encoder
from brain.embeddings.factory import build_embedder
from memory.embedding import Vector
from memory.errors import BrainError
from tests.fakes import a_settings


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_the_encoder_is_the_default_whatever_key_there_is():
    for settings in (a_settings(), a_settings(openai_api_key="sk-test")):
        embedder = build_embedder(settings)
        assert embedder is not None
        assert embedder.name == MODEL


async def test_the_languages_meet():
    encoder = shared_encoder()
    question, cat, job = await encoder.embed(["我的猫叫什么名字？", "My cat is called Mimi.", "I work at Acme."])
    assert len(question) == 512
    assert cosine(question, cat) > cosine(question, job) + 0.3


async def test_a_batch_is_embedded_like_its_texts_alone_and_in_their_order():
    texts = ["I moved to Lyon.", "我搬到了里昂。", "", "a word " * 900, "I moved to Lyon."]
    together = await SentenceEncoder().embed(texts)
    alone = [(await SentenceEncoder().embed([text]))[0] for text in texts]
    assert all(cosine(one, other) > 0.9999 for one, other in zip(together, alone, strict=True))
    assert together[0] == together[4]


async def test_a_text_that_was_embedded_is_not_computed_again(monkeypatch: pytest.MonkeyPatch):
    encoder, computed = SentenceEncoder(), list[str]()
    encode = module._encode  # pyright: ignore[reportPrivateUsage]

    def count(texts: list[str], model: Any) -> Any:
        computed.extend(texts)
        return encode(texts, model)

    monkeypatch.setattr(module, "_encode", count)
    first = await encoder.embed(["tea", "rice"])
    assert await encoder.embed(["rice", "tea"]) == first[::-1]
    assert computed == ["tea", "rice"]


async def test_long_work_lets_a_question_in_between(monkeypatch: pytest.MonkeyPatch):
    encoder, order = SentenceEncoder(), list[str]()
    encode = module._encode  # pyright: ignore[reportPrivateUsage]

    def note(texts: list[str], model: Any) -> Any:
        order.append(texts[0][:8])
        return encode(texts, model)

    monkeypatch.setattr(module, "_encode", note)
    await encoder.embed(["ready"])
    long = asyncio.create_task(encoder.embed([f"{number} " + "word " * 380 for number in range(8)]))
    await asyncio.sleep(0)
    await encoder.embed(["question"])
    assert not long.done()
    await long
    assert order.index("question") < 8


async def test_while_it_is_loaded_behind_the_start_it_is_not_ready(monkeypatch: pytest.MonkeyPatch):
    load = module._load  # pyright: ignore[reportPrivateUsage]
    go_on = False

    def wait() -> Any:
        while not go_on:
            sleep(0.01)
        return load()

    monkeypatch.setattr(module, "_load", wait)
    encoder = SentenceEncoder()
    assert encoder.is_ready
    encoder.start_loading()
    assert not encoder.is_ready
    go_on = True
    await encoder.embed(["Now it is there."])
    assert encoder.is_ready


async def test_weights_that_nobody_knows_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "RESOURCES", RESOURCES | {"sp.model": "0" * 64})
    with pytest.raises(BrainError, match="not those that Brain knows") as refused:
        await SentenceEncoder().embed(["hello"])
    assert refused.value.code == "E_DEP_UNAVAILABLE"


def test_without_its_package_recall_goes_on_with_words_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    shared_encoder.cache_clear()
    assert build_embedder(a_settings()) is None
