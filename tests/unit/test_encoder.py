"""The encoder of the package: real weights, in this process."""

import asyncio
from collections.abc import Sequence
from time import sleep
from typing import Any

import pytest

from brain.embeddings import encoder as embedding
from brain.embeddings.encoder import MODEL, EncoderEmbedder, encoder_embedder
from brain.embeddings.factory import build_embedder, find_encoder
from language import encoder as meaning
from language.classifier import load_classifier
from language.encoder import RESOURCES, SentenceEncoder, UnknownWeights, sentence_encoder
from language.statements import read_statements
from memory.embedding import Vector
from memory.errors import BrainError
from tests.fakes import a_settings


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_the_encoder_is_the_default_whatever_key_there_is():
    for settings in (a_settings(), a_settings(openai_api_key="sk-test")):
        embedder = build_embedder(settings)
        assert embedder is not None
        assert embedder.name == MODEL


async def test_the_languages_meet():
    question, cat, job = await encoder_embedder().embed(
        ["我的猫叫什么名字？", "My cat is called Mimi.", "I work at Acme."]
    )
    assert len(question) == 512
    assert cosine(question, cat) > cosine(question, job) + 0.3


def test_a_batch_is_encoded_like_its_texts_alone_and_in_their_order():
    texts = ["I moved to Lyon.", "我搬到了里昂。", "", "a word " * 900, "I moved to Lyon."]
    together = SentenceEncoder().encode(texts)
    alone = [SentenceEncoder().encode([text])[0] for text in texts]
    assert all(cosine(one, other) > 0.9999 for one, other in zip(together, alone, strict=True))
    assert together[0].tolist() == together[4].tolist()


def test_a_text_that_was_encoded_is_not_computed_again():
    encoder, computed = SentenceEncoder(), list[str]()
    encoder.load()
    model: Any = encoder._model  # pyright: ignore[reportPrivateUsage]
    encode = model.encode

    def count(texts: list[str]) -> Any:
        computed.extend(texts)
        return encode(texts)

    model.encode = count
    first = encoder.encode(["tea", "rice"])
    assert encoder.encode(["rice", "tea"]).tolist() == first[::-1].tolist()
    assert computed == ["tea", "rice"]


async def test_long_work_lets_a_question_in_between(monkeypatch: pytest.MonkeyPatch):
    embedder, order = EncoderEmbedder(), list[str]()
    embed_now = embedder.embed_now

    def note(texts: Sequence[str]) -> list[Vector]:
        order.append(texts[0][:8])
        return embed_now(texts)

    monkeypatch.setattr(embedder, "embed_now", note)
    long = asyncio.create_task(embedder.embed([f"{number} " + "word " * 380 for number in range(40)]))
    await asyncio.sleep(0)
    await embedder.embed(["question"])
    assert not long.done()
    await long
    assert order.index("question") < 40


async def test_while_it_is_loaded_behind_the_start_it_is_not_ready(monkeypatch: pytest.MonkeyPatch):
    fresh, go_on = SentenceEncoder(), False
    load = meaning._load  # pyright: ignore[reportPrivateUsage]

    def wait() -> Any:
        while not go_on:
            sleep(0.01)
        return load()

    monkeypatch.setattr(meaning, "_load", wait)
    monkeypatch.setattr(embedding, "sentence_encoder", lambda: fresh)
    embedder = EncoderEmbedder()
    assert embedder.is_ready
    embedder.start_loading()
    assert not embedder.is_ready
    go_on = True
    await embedder.load()
    await embedder.embed(["Now it is there."])
    assert fresh.is_loaded


async def test_weights_that_nobody_knows_are_refused(monkeypatch: pytest.MonkeyPatch):
    fresh = SentenceEncoder()
    monkeypatch.setattr(meaning, "RESOURCES", RESOURCES | {"sp.model": "0" * 64})
    monkeypatch.setattr(embedding, "sentence_encoder", lambda: fresh)
    with pytest.raises(UnknownWeights):
        fresh.load()
    with pytest.raises(BrainError, match="not those that Brain knows") as refused:
        await EncoderEmbedder().embed(["hello"])
    assert refused.value.code == "E_DEP_UNAVAILABLE"
    await EncoderEmbedder().load()
    assert not fresh.is_loaded


def test_without_its_package_recall_goes_on_with_words_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedding, "PACKAGE", "no_such_package")
    encoder_embedder.cache_clear()
    assert build_embedder(a_settings()) is None
    assert find_encoder(a_settings()) is None
    encoder_embedder.cache_clear()


def test_none_loads_no_encoder():
    assert find_encoder(a_settings(embeddings="none")) is None


def test_sentences_are_told_apart_by_meaning_once_the_encoder_is_there(monkeypatch: pytest.MonkeyPatch):
    sentence_encoder().load()
    assert load_classifier().sees_meaning
    (seen,) = read_statements("My nan's hip replacement went well.")
    monkeypatch.setattr("language.classifier.sentence_encoder", SentenceEncoder)
    assert not load_classifier().sees_meaning
    (by_words,) = read_statements("My nan's hip replacement went well.")
    assert seen.is_memorable
    assert by_words.keeps != seen.keeps
