"""An embedder of which some calls fail costs no turn, no answer and, in the end, no vector."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from brain.embeddings.backfill import embed_pending
from brain.recall import RecallRequest, search
from memory.embedding import Vector
from memory.errors import BrainError, unavailable
from memory.ports import MemoryCore
from tests.contract.builders import a_session, a_turn, said
from tests.fakes import NOW, Leanings, resources_of
from tests.openai_wire import vector
from tests.this_test import me

TURNS = 40


@dataclass
class FlakyEmbedder:
    """Vectors made of letters; this share of all calls fails, by chance that is the same every time."""

    share: float
    name: str = "test:letters"
    dimensions: int = 32
    chance: Random = field(default_factory=lambda: Random(7))
    failed: int = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.chance.random() < self.share:
            self.failed += 1
            raise unavailable("The embedder failed.")
        return [tuple(vector(text, self.dimensions)) for text in texts]


@pytest.mark.parametrize("percent", [5, 10, 20])
async def test_calls_that_fail_now_and_then_cost_no_turn_and_no_vector(percent: int, memory: MemoryCore):
    embedder = FlakyEmbedder(percent / 100)
    resources = replace(resources_of(Leanings(memory=memory, embedder=embedder)), memory=memory)
    for number in range(TURNS):
        turn = said(f"My boat number {number} is called Pip{number}.", minutes=number)
        await memory.log.capture(me(), a_turn(turn, session=a_session(str(number))))
        with suppress(BrainError):  # the worker tries it again behind the conversation
            await embed_pending(resources, me())
        before = embedder.failed
        found = await search(resources, me(), RecallRequest(text=f"Pip{number}", at=NOW))
        assert found.candidates.candidates[0].text == turn.text
        assert ("embedder_unavailable" in found.degraded) == (embedder.failed > before)
    assert embedder.failed
    for _ in range(TURNS):
        with suppress(BrainError):
            await embed_pending(resources, me())
    counts = await memory.index.vector_counts(me())
    assert {each.model: each.rows for each in counts} == {embedder.name: TURNS}
