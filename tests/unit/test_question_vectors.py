"""One vector for the same words of one turn."""

import asyncio
from collections.abc import Sequence

import pytest

from brain.question_vectors import QuestionVectors
from memory.embedding import Vector
from memory.errors import BrainError, unavailable


class CountingEmbedder:
    """Counts what it is asked, and fails as often as it is told to."""

    name = "test:m"

    def __init__(self, failures: int = 0) -> None:
        self.asked, self.failures = list[str](), failures

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        await asyncio.sleep(0)
        if self.failures:
            self.failures -= 1
            raise unavailable("The model is away.")
        return [(1.0, 0.0) for _ in texts]


async def test_memory_and_knowledge_ask_once_for_the_same_words():
    vectors, embedder = QuestionVectors(), CountingEmbedder()
    both = await asyncio.gather(vectors.embed(embedder, "tea?"), vectors.embed(embedder, "tea?"))
    assert both == [(1.0, 0.0)] * 2
    await vectors.embed(embedder, "coffee?")
    assert embedder.asked == ["tea?", "coffee?"]


async def test_a_failure_is_told_and_not_kept():
    vectors, embedder = QuestionVectors(), CountingEmbedder(failures=1)
    with pytest.raises(BrainError):
        await vectors.embed(embedder, "tea?")
    assert await vectors.embed(embedder, "tea?") == (1.0, 0.0)


async def test_who_gives_up_does_not_stop_it_for_others():
    vectors, embedder = QuestionVectors(), CountingEmbedder()
    impatient = asyncio.create_task(vectors.embed(embedder, "tea?"))
    patient = asyncio.create_task(vectors.embed(embedder, "tea?"))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient == (1.0, 0.0)
    assert embedder.asked == ["tea?"]


async def test_only_the_newest_are_kept():
    vectors, embedder = QuestionVectors(capacity=1), CountingEmbedder()
    for text in ("tea?", "coffee?", "tea?"):
        await vectors.embed(embedder, text)
    assert embedder.asked == ["tea?", "coffee?", "tea?"]
