"""Local models loaded and run by the real library, from folders made here: nothing is downloaded."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.doctor.examine import embedding_finding, reranking_finding
from brain.embeddings.backfill import embed_pending
from brain.embeddings.factory import build_embedder
from brain.embeddings.local import DEFAULT_MODEL, OnnxEmbedder
from brain.recall import RecallRequest, recall
from brain.reranking.cross_encoder import OnnxCrossEncoder, build_cross_encoder
from memory.embedding import Vector
from memory.errors import BrainError
from tests.fakes import NOW, Leanings, a_settings, resources_of
from tests.this_test import me
from tests.tiny_onnx import cross_encoder, embedding_model
from tests.unit.test_embedding import remembering

ENOUGH = 60.0
"""Seconds; the library is imported first."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return embedding_model(tmp_path_factory.mktemp("models") / "multilingual-e5-tiny")


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_local_without_a_name_is_the_multilingual_default():
    embedder = build_embedder(a_settings(embeddings="local"))
    assert isinstance(embedder, OnnxEmbedder)
    assert embedder.name == f"local:{DEFAULT_MODEL}"


async def test_a_folder_is_loaded_and_gives_unit_vectors_in_order(tiny: Path):
    chinese, english, other = await OnnxEmbedder(str(tiny)).embed(["妹妹的工作", "My sister works", "It rains"])
    assert [math.hypot(*each) for each in (chinese, english, other)] == pytest.approx([1.0, 1.0, 1.0])
    assert cosine(chinese, english) > 0.9 > 0.3 > cosine(chinese, other)


async def test_the_same_folder_can_be_loaded_twice(tiny: Path):
    (first,), (second,) = await OnnxEmbedder(str(tiny)).embed(["tea"]), await OnnxEmbedder(str(tiny)).embed(["茶"])
    assert first == pytest.approx(second)


async def test_a_folder_without_a_model_says_so(tmp_path: Path):
    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await OnnxEmbedder(str(tmp_path)).embed(["tea"])


async def asked_of(texts: Sequence[str], question: str, model: Path | None) -> list[str]:
    """What is recalled, best first, with the model or without any."""
    embedder = build_embedder(a_settings(embeddings=f"local:{model}" if model else "none"))
    resources = resources_of(Leanings(memory=await remembering(*texts), embedder=embedder))
    await embed_pending(resources, me())
    recalled = await recall(resources, me(), RecallRequest(text=question, at=NOW))
    assert recalled.degraded == ()
    return [each.candidate.text for each in recalled.ranked]


@pytest.mark.usefixtures("memory")
async def test_a_chinese_question_finds_an_english_memory(tiny: Path):
    texts = ("My sister works at a bakery in Lyon", "My cat sleeps all day", "It rains", "我喜欢猫", "今天下雨")
    question = "妹妹在哪家面包店工作？"
    assert (await asked_of(texts, question, tiny))[0] == texts[0]
    assert texts[0] not in await asked_of(texts, question, None)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("question", "text", "others"),
    [
        (
            "妹妹在哪家面包店工作？",
            "My sister works at a bakery",
            ("哪家店好？我忘了", "我家在三楼", "店里很吵"),
        ),
        ("Does my sister like tea?", "姐姐喝茶", ("I like rain", "I like cats", "Does it rain?")),
    ],
)
async def test_words_shared_by_others_do_not_hide_it(question: str, text: str, others: tuple[str, ...], tiny: Path):
    texts = (*others, text, *(f"Nothing {number}" for number in range(80)))
    assert text in (await asked_of(texts, question, tiny))[:5]


async def test_a_cross_encoder_is_loaded_and_scores_each_pair_in_order(tmp_path: Path):
    encoder = OnnxCrossEncoder(str(cross_encoder(tmp_path / "taste", {"tea": 2.0, "rain": -1.0})))
    texts = [f"{word} {number}" for number in range(10) for word in ("tea", "rain", "nothing")]
    assert await encoder.score("What?", texts, ENOUGH) == pytest.approx([2.0, -1.0, 0.0] * 10)


async def test_the_doctor_runs_both(tiny: Path, tmp_path: Path):
    taste = cross_encoder(tmp_path / "taste", {"hello": 1.0})
    settings = a_settings(embeddings=f"local:{tiny}", cross_encoder=f"local:{taste}")
    embeddings, reranking = await embedding_finding(settings), await reranking_finding(settings)
    assert (embeddings.state, embeddings.what) == ("ok", f"local:{tiny}, 7 dimensions")
    assert (reranking.state, reranking.what) == ("ok", f"local:{taste} reads memories again, at most 2 s")


async def test_the_doctor_names_a_cross_encoder_that_cannot_be_loaded(tmp_path: Path):
    finding = await reranking_finding(a_settings(cross_encoder=f"local:{tmp_path}"))
    assert finding.state == "degraded"
    assert "cannot be loaded" in finding.what


def test_no_cross_encoder_is_configured_by_itself():
    assert build_cross_encoder(a_settings()) is None


@pytest.mark.parametrize("named", ["local", "openai:m", "torch:", "bge"])
def test_what_names_no_cross_encoder_is_refused(named: str):
    with pytest.raises(BrainError, match="E_CONFIG"):
        a_settings(cross_encoder=named)
