"""A cross-encoder has a second look at a wide pool, within its time; without it the policy's order stands."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Event

import pytest

from brain.circuit_breaker import CircuitBreaker
from brain.recall import RecallRequest, recall
from brain.reranking.cross_encoder import BATCH, LocalCrossEncoder, build_cross_encoder
from brain.reranking.rerank import rerank_pool
from brain.resources import Resources
from memory.errors import BrainError, unavailable
from memory.ports import MemoryCore
from memory.recall.policy import RankedCandidate
from memory.recall.weights import NARROW, WIDE
from nodes.rerank import rerank
from tests.fakes import NOW, FakeModel, Leanings, a_run, a_settings, a_state, resources_of
from tests.this_test import me
from tests.unit.ranking_builders import a_candidate, a_pass, id_of
from tests.unit.test_embedding import remembering


@dataclass
class ByLength:
    """A cross-encoder that likes long texts, as far as its time reaches; the script may hold failures."""

    name: str = "test:length"
    reaches: int = 1000
    failures: list[BrainError] = field(default_factory=list[BrainError])
    asked: list[tuple[str, Sequence[str]]] = field(default_factory=list[tuple[str, Sequence[str]]])

    async def score(self, question: str, texts: Sequence[str], seconds: float) -> list[float]:
        self.asked.append((question, texts))
        if self.failures:
            raise self.failures.pop(0)
        return [float(len(text)) for text in texts[: self.reaches]]


def leaning(
    encoder: ByLength | None, memory: MemoryCore | None = None, clock: Callable[[], float] = lambda: 0
) -> Resources:
    plain = resources_of(Leanings(memory=memory) if memory else Leanings())
    return replace(plain, cross_encoder=encoder, reranker_breaker=CircuitBreaker(clock=clock))


def ranked(*texts: str) -> list[RankedCandidate]:
    return [RankedCandidate(candidate=a_candidate(text), score=1 / place) for place, text in enumerate(texts, 1)]


def texts_of(found: Sequence[RankedCandidate]) -> list[str]:
    return [each.candidate.text for each in found]


async def test_memories_come_back_by_their_score_and_carry_it():
    again = await rerank_pool(leaning(ByLength()), "?", ranked("a", "ccc", "bb"))
    assert (texts_of(again.ranked), again.degraded) == (["ccc", "bb", "a"], ())
    assert [each.signals["cross_encoder"] for each in again.ranked] == [8.0, 7.0, 6.0]
    assert again.ranked[0].score == 1 / 2


async def test_turns_are_read_with_their_speaker_and_nothing_is_read_endlessly():
    encoder = ByLength()
    fact = replace(ranked("I sail")[0], candidate=a_candidate("Ann sails", lane="fact"))
    await rerank_pool(leaning(encoder), "q" * 9_000, [*ranked("I sail", "x" * 9_000), fact])
    ((question, texts),) = encoder.asked
    assert (len(question), texts[0], len(texts[1]), texts[2]) == (2_000, "Ann: I sail", 2_000, "Ann sails")


async def test_what_was_not_read_in_time_follows_as_it_stood_and_it_is_said():
    again = await rerank_pool(leaning(ByLength(reaches=2)), "?", ranked("a", "bb", "cccc", "ddd"))
    assert (texts_of(again.ranked), again.degraded) == (["bb", "a", "cccc", "ddd"], ("cross_encoder_incomplete",))


async def test_echoes_and_repeats_stay_behind():
    first, second, third = ranked("a", "bb", "ccc")
    again = await rerank_pool(leaning(ByLength()), "?", [first, second, replace(third, signals={"repeat": 1.0})])
    assert texts_of(again.ranked) == ["bb", "a", "ccc"]


def a_passage(text: str, turn: str, **signals: float) -> RankedCandidate:
    passage = a_candidate(text, event_id=id_of(turn), span_start=0, span_end=len(text), about="Oslo")
    return RankedCandidate(candidate=passage, score=1.0, signals=signals)


async def test_the_best_passage_of_a_turn_stands_for_it_whatever_the_policy_thought():
    first, second = a_passage("short", "turn"), a_passage("much longer", "turn", same_turn=1.0)
    (other,) = ranked("another")
    again = await rerank_pool(leaning(ByLength()), "?", [first, other, second])
    assert texts_of(again.ranked) == ["much longer", "another", "short"]
    assert ["same_turn" in each.signals for each in again.ranked] == [False, False, True]


async def test_a_passage_is_read_with_its_headings():
    encoder = ByLength()
    await rerank_pool(leaning(encoder), "?", [a_passage("The fjord", "one"), a_passage("The opera", "two")])
    assert encoder.asked[0][1] == ["Ann: Oslo\nThe fjord", "Ann: Oslo\nThe opera"]


@pytest.mark.parametrize("encoder", [ByLength(failures=[unavailable("damaged")]), ByLength(reaches=0)])
async def test_a_failure_leaves_the_order_and_costs_its_wait_once(encoder: ByLength):
    seconds = [0.0]
    resources = leaning(encoder, clock=lambda: seconds[0])
    for _ in range(3):
        again = await rerank_pool(resources, "?", ranked("a", "bb"))
        assert (texts_of(again.ranked), again.degraded) == (["a", "bb"], ("cross_encoder_unavailable",))
    assert len(encoder.asked) == 1
    encoder.reaches, seconds[0] = 9, 60.0
    assert (await rerank_pool(resources, "?", ranked("a", "bb"))).degraded == ()


async def test_a_model_that_has_not_learnt_the_script_is_not_asked():
    encoder = ByLength(name="local:Xenova/ms-marco-MiniLM-L-6-v2")
    assert texts_of((await rerank_pool(leaning(encoder), "我住在哪里？", ranked("a", "bb"))).ranked) == ["a", "bb"]
    assert texts_of((await rerank_pool(leaning(encoder), "Where?", ranked("a", "bb"))).ranked) == ["bb", "a"]


async def test_with_less_than_two_to_compare_nobody_is_asked():
    encoder = ByLength()
    assert texts_of((await rerank_pool(leaning(encoder), "?", ranked("a"))).ranked) == ["a"]
    assert encoder.asked == []


@pytest.mark.usefixtures("memory")
async def test_recall_offers_it_a_wide_pool_and_cuts_afterwards():
    memory = await remembering(*(f"boat {'x' * (number % 7)} {number}" for number in range(300)))
    encoder = ByLength()
    recalled = await recall(leaning(encoder, memory), me(), RecallRequest(text="boat", at=NOW, limit=5))
    plain = await recall(leaning(None, memory), me(), RecallRequest(text="boat", at=NOW, limit=200))
    assert (len(encoder.asked[0][1]), len(plain.ranked)) == (WIDE.brought, NARROW.brought)
    assert len(recalled.ranked) == 5
    assert {len(each.candidate.text) for each in recalled.ranked} == {
        max(map(len, encoder.asked[0][1])) - len("user: ")
    }


async def test_a_pool_is_wide_only_where_somebody_can_use_it():
    fast, on = FakeModel(), a_settings(model_rerank=True)
    assert leaning(ByLength()).has_reranker
    assert resources_of(Leanings(fast=fast, settings=on)).has_reranker
    assert not resources_of(Leanings(settings=on)).has_reranker
    assert not resources_of(Leanings(fast=fast)).has_reranker


async def test_a_turn_takes_its_order_and_its_reason():
    run = a_run(Leanings(settings=a_settings()), max_memories=2)
    encoder = ByLength(reaches=2)
    run.context.__dict__["resources"] = replace(run.context.resources, cross_encoder=encoder)
    found = [a_candidate(text, own=1 / place) for place, text in enumerate(("a", "bb", "ccc"), 1)]
    update = await rerank(a_state("?", passes=[a_pass(*found)]), run)
    assert [each["text"] for each in update["memories"]] == ["bb", "a"]
    assert update["memories"][0]["signals"]["cross_encoder"] == 7.0
    assert update["degraded"] == ["cross_encoder_incomplete"]


@dataclass
class Pairs:
    """A library's model: notes how many pairs it was given each time; the script may hold what it does instead."""

    given: list[int] = field(default_factory=list[int])
    instead: Callable[[], Sequence[float]] | None = None

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.given.append(len(texts))
        return self.instead() if self.instead else [float(text) for text in texts]


NUMBERS = [str(number) for number in range(3 * BATCH)]


async def test_pairs_are_scored_a_few_at_a_time_in_order():
    pairs = Pairs()
    assert await LocalCrossEncoder("test", "m", lambda: pairs.score).score("?", NUMBERS, 60) == list(range(3 * BATCH))
    assert pairs.given == [BATCH] * 3


async def test_what_was_scored_when_the_time_is_over_counts_and_the_thread_ends():
    pairs, held, ended = Pairs(), Event(), Event()

    def score(question: str, texts: Sequence[str]) -> Sequence[float]:
        if pairs.given:
            held.wait(60)
            ended.set()
        return pairs.score(question, texts)

    encoder = LocalCrossEncoder("test", "m", lambda: score)
    assert await encoder.score("?", NUMBERS, 1) == list(range(BATCH))
    held.set()
    assert await asyncio.to_thread(ended.wait, 60)
    assert await encoder.score("?", NUMBERS[:1], 60) == [0.0]
    assert pairs.given == [BATCH, BATCH, 1]


def raising(error: Exception) -> Sequence[float]:
    raise error


@pytest.mark.parametrize(
    "instead", [lambda: [1.0], lambda: [float("nan")] * BATCH, lambda: raising(RuntimeError("out of memory"))]
)
async def test_a_model_that_answers_nonsense_is_a_dependency_that_is_away(instead: Callable[[], Sequence[float]]):
    pairs = Pairs(instead=instead)
    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await LocalCrossEncoder("test", "m", lambda: pairs.score).score("?", NUMBERS, 60)


@pytest.mark.parametrize(("configured", "library"), [("local:m", "fastembed"), ("torch:m", "sentence_transformers")])
def test_a_library_that_is_not_installed_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, configured: str, library: str
):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BrainError, match="E_CONFIG"):
        build_cross_encoder(a_settings(cross_encoder=configured))
