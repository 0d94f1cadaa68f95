"""Rows get their vectors behind the conversation, models are replaced beside it, and recall says what it lacks."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from brain.embeddings.backfill import BATCH, embed_pending
from brain.embeddings.model_switch import PAUSES, RetryingEmbedder, prepare_vectors, switch_model, with_retries
from brain.recall import RecallRequest, SearchResult, search
from brain.resources import Resources
from memory.embedding import Vector
from memory.errors import BrainError, config_error, unavailable
from memory.index_rows import UnembeddedRow, embedding_text
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_turn, said
from tests.fakes import NOW, Leanings, a_settings, resources_of
from tests.openai_wire import vector
from tests.this_test import me, own_memory

pytestmark = pytest.mark.usefixtures("memory")


@dataclass
class ScriptedEmbedder:
    """Vectors made of the text's letters, after the failures that the script holds."""

    name: str = "test:letters"
    dimensions: int = 32
    failures: list[BrainError] = field(default_factory=list[BrainError])
    delay: float = 0.0
    asked: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.append(texts)
        await asyncio.sleep(self.delay)
        if self.failures:
            raise self.failures.pop(0)
        return [tuple(vector(text, self.dimensions)) for text in texts]


async def remembering(*texts: str, memory: MemoryCore | None = None) -> MemoryCore:
    memory = memory or own_memory()
    await memory.log.capture(me(), a_turn(*(said(text, minutes=number) for number, text in enumerate(texts))))
    return memory


def with_embedder(memory: MemoryCore, embedder: ScriptedEmbedder | None, **settings: object) -> Resources:
    return resources_of(Leanings(memory=memory, embedder=embedder, settings=a_settings(**settings)))


async def held(memory: MemoryCore) -> dict[str, int]:
    return {f"{each.model}{' staged' * each.staged}": each.rows for each in await memory.index.vector_counts(me())}


async def found(resources: Resources, text: str = "green tea", **more: object) -> SearchResult:
    return await search(resources, me(), RecallRequest(text=text, at=NOW, **more))  # type: ignore[arg-type]


async def test_everything_that_waits_is_embedded_in_batches_with_its_speaker():
    memory, embedder, heard = await remembering(*map(str, range(BATCH + 2))), ScriptedEmbedder(), list[int]()
    assert await embed_pending(with_embedder(memory, embedder), me(), heard.append) == BATCH + 2
    assert heard == [BATCH, 2]
    assert embedder.asked[0][:2] == ["user: 0", "user: 1"]
    assert await held(memory) == {"test:letters": BATCH + 2}


async def test_without_an_embedder_everything_goes_on_waiting():
    memory = await remembering("one")
    assert await embed_pending(with_embedder(memory, None), me()) == 0
    assert await held(memory) == {"none": 1}


async def test_a_failing_embedder_loses_nothing_and_the_next_run_goes_on_there():
    memory = await remembering(*map(str, range(BATCH + 2)))
    embedder = ScriptedEmbedder()
    resources = with_embedder(memory, embedder)

    def down_from_now_on(rows: int) -> None:
        embedder.failures.append(unavailable("down"))

    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await embed_pending(resources, me(), down_from_now_on)
    assert await held(memory) == {"test:letters": BATCH, "none": 2}
    assert await embed_pending(resources, me()) == 2


class Stubborn:
    """An index with a row that always waits and never takes its vector."""

    async def rows_without_vector(self, scope: Scope, model: str, limit: int) -> list[UnembeddedRow]:
        return [UnembeddedRow(source_id=me().user_id, lane="turn", speaker="user", text="one", observed_at=NOW)]

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[UnembeddedRow], vectors: Sequence[Sequence[float]]
    ) -> int:
        return 0


async def test_rows_that_take_no_vector_do_not_keep_the_worker_busy_for_ever():
    memory = replace(own_memory(), index=Stubborn())  # type: ignore[arg-type]
    async with asyncio.timeout(60):
        assert await embed_pending(with_embedder(memory, ScriptedEmbedder()), me()) == 0


async def test_a_person_of_another_model_is_left_to_the_switch():
    memory = await remembering("one")
    await embed_pending(with_embedder(memory, ScriptedEmbedder("test:old")), me())
    await remembering("two", memory=memory)
    new = ScriptedEmbedder("test:new")
    assert await embed_pending(with_embedder(memory, new), me()) == 0
    assert (new.asked, await held(memory)) == ([], {"test:old": 1, "none": 1})


async def test_a_switch_brings_every_row_to_the_new_model_whatever_was_said_meanwhile():
    memory = await remembering("one", "two")
    await embed_pending(with_embedder(memory, ScriptedEmbedder("test:old", 32)), me())
    new = with_embedder(memory, ScriptedEmbedder("test:new", 48))
    heard = list[int]()
    assert await prepare_vectors(new, me(), heard.append) == 2
    await remembering("three", memory=memory)
    assert await held(memory) == {"test:old": 2, "none": 1, "test:new staged": 2}
    assert await switch_model(new, me(), heard.append) == 3
    assert (await held(memory), heard) == ({"test:new": 3}, [2, 1])


async def test_staging_that_broke_off_goes_on_where_it_stopped():
    memory = await remembering(*map(str, range(BATCH + 2)))
    embedder = ScriptedEmbedder()
    new = with_embedder(memory, embedder)
    with pytest.raises(BrainError):
        await prepare_vectors(new, me(), lambda rows: embedder.failures.append(unavailable("killed")))
    assert await prepare_vectors(new, me()) == 2
    assert [len(texts) for texts in embedder.asked] == [BATCH, 2, 2]


async def test_a_switch_that_was_begun_towards_another_model_leaves_nothing_behind():
    memory = await remembering("one")
    await prepare_vectors(with_embedder(memory, ScriptedEmbedder("test:abandoned")), me())
    assert await switch_model(with_embedder(memory, ScriptedEmbedder("test:new")), me()) == 1
    assert await held(memory) == {"test:new": 1}


def noting(pauses: list[float]) -> Callable[[float], Awaitable[None]]:
    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    return pause


async def test_long_work_waits_out_a_limit_of_requests():
    pauses, embedder = list[float](), ScriptedEmbedder(failures=[unavailable("429")] * 3)
    assert len(await RetryingEmbedder(embedder, noting(pauses)).embed(["one"])) == 1
    assert pauses == [1.0, 2.0, 4.0]


async def test_long_work_ends_when_nothing_helps():
    pauses, embedder = list[float](), ScriptedEmbedder(failures=[unavailable("down")] * 99)
    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await RetryingEmbedder(embedder, noting(pauses)).embed(["one"])
    assert pauses == list(PAUSES)


async def test_what_will_never_succeed_is_not_tried_again():
    embedder = ScriptedEmbedder(failures=[config_error("wrong key")])
    with pytest.raises(BrainError, match="E_CONFIG"):
        await RetryingEmbedder(embedder, noting([])).embed(["one"])
    assert len(embedder.asked) == 1


def test_patience_keeps_the_models_name():
    resources = with_retries(with_embedder(own_memory(), ScriptedEmbedder("test:m")))
    assert resources.embedder is not None
    assert resources.embedder.name == "test:m"


async def test_recall_with_vectors_is_not_degraded():
    resources = with_embedder(await remembering("I like green tea"), ScriptedEmbedder())
    await embed_pending(resources, me())
    recalled = await found(resources)
    assert recalled.degraded == ()
    assert recalled.candidates.candidates[0].cosine is not None


async def test_an_embedder_that_is_slow_leaves_the_words_within_the_deadline():
    slow = ScriptedEmbedder(delay=600)
    resources = with_embedder(await remembering("I like green tea"), slow, embedding_timeout=0.05)
    async with asyncio.timeout(60):
        recalled = await found(resources)
    assert recalled.degraded == ("embedder_unavailable",)
    assert recalled.candidates.candidates[0].text == "I like green tea"


async def test_an_embedder_that_does_not_answer_costs_its_wait_once():
    slow = ScriptedEmbedder(delay=60)
    resources = with_embedder(await remembering("I like green tea"), slow, embedding_timeout=0.05)
    for _ in range(3):
        assert (await found(resources)).degraded == ("embedder_unavailable",)
    assert len(slow.asked) == 1


async def test_an_embedder_that_fails_at_once_is_asked_again_with_the_next_question():
    failing = ScriptedEmbedder(failures=[unavailable("down")])
    resources = with_embedder(await remembering("I like green tea"), failing)
    assert (await found(resources)).degraded == ("embedder_unavailable",)
    assert "embedder_unavailable" not in (await found(resources)).degraded


async def test_rows_without_vectors_are_found_by_words_and_it_is_said():
    resources = with_embedder(await remembering("I like green tea"), ScriptedEmbedder())
    for strategy in ("auto", "semantic"):
        recalled = await found(resources, strategy=strategy)
        assert recalled.degraded == ("embeddings_incomplete",)
        assert recalled.candidates.candidates[0].own > 0


async def test_the_newest_turn_alone_does_not_count_as_incomplete():
    memory = await remembering("I like green tea", "I like black tea", "I like rain")
    resources = with_embedder(memory, ScriptedEmbedder())
    await embed_pending(resources, me())
    await remembering("I like white tea", memory=memory)
    assert (await found(resources)).degraded == ()


async def test_rows_of_another_model_are_found_by_words_until_the_switch():
    memory = await remembering("I like green tea", "It rains")
    await embed_pending(with_embedder(memory, ScriptedEmbedder("test:old")), me())
    new = with_embedder(memory, ScriptedEmbedder("test:new", 48))
    before = await found(new)
    await switch_model(new, me())
    after = await found(new)
    assert (before.degraded, {each.cosine for each in before.candidates.candidates}) == (
        ("embeddings_incomplete",),
        {None},
    )
    assert after.degraded == ()
    assert None not in {each.cosine for each in after.candidates.candidates}


async def test_a_model_that_changed_its_length_leaves_the_words():
    memory = await remembering("I like green tea")
    await embed_pending(with_embedder(memory, ScriptedEmbedder(dimensions=32)), me())
    recalled = await found(with_embedder(memory, ScriptedEmbedder(dimensions=48)))
    assert recalled.degraded == ("pgvector_unavailable",)
    assert recalled.candidates.candidates[0].text == "I like green tea"


async def test_a_model_that_changed_its_length_is_refused_when_writing():
    memory = await remembering("I like green tea")
    await embed_pending(with_embedder(memory, ScriptedEmbedder(dimensions=32)), me())
    await remembering("It rains", memory=memory)
    with pytest.raises(BrainError, match="E_DIM_MISMATCH") as refused:
        await embed_pending(with_embedder(memory, ScriptedEmbedder(dimensions=48)), me())
    assert not refused.value.is_retryable


async def test_the_exact_strategy_asks_no_model():
    resources = with_embedder(await remembering("I like green tea"), ScriptedEmbedder())
    assert (await found(resources, strategy="exact")).degraded == ()
    assert resources.embedder is not None
    assert isinstance(resources.embedder, ScriptedEmbedder)
    assert resources.embedder.asked == []


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"lane": "turn", "speaker": "Ann"}, "Ann: tea"),
        ({"lane": "fact", "category": "food_preference", "subject": "Ann"}, "[food preference/Ann/2026-03] tea"),
        ({"lane": "fact", "subject": "Ann"}, "[Ann/2026-03] tea"),
        ({"lane": "summary", "category": "work"}, "tea"),
    ],
)
def test_a_fact_is_embedded_after_its_shelf_its_subject_and_its_month(row: dict[str, str], text: str):
    told = {"source_id": me().user_id, "speaker": "user", "text": "tea", "observed_at": NOW} | row
    assert embedding_text(UnembeddedRow(**told), "openai:m") == text  # pyright: ignore[reportArgumentType]
