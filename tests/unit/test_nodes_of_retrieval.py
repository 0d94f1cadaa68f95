"""Classifying, rewriting, retrieving and ranking: each node alone."""

from dataclasses import replace
from typing import Any

import pytest

from brain.intent_rules import Intent, IntentForm, classify
from brain.models.errors import ModelMalformed, ModelUnavailable
from brain.state import said_at
from memory.errors import unavailable
from memory.ports import MemoryCore
from memory.recall.policy import RankedCandidate
from memory.session_state import SessionState
from nodes.classify_intent import classify_intent
from nodes.rerank import memory_use, rerank
from nodes.retrieve import retrieve, retrieve_rewritten
from nodes.rewrite_query import Rewriting, asks_again, rewrite_query
from tests.contract.builders import a_turn, said
from tests.fakes import NOW, FakeModel, Leanings, a_memory, a_run, a_state
from tests.this_test import me, own_memory
from tests.unit.ranking_builders import a_candidate, ago
from tests.unit.test_passages import HOSTELS

pytestmark = pytest.mark.usefixtures("memory")


class SlowEmbedder:
    """An embedding model that is down."""

    name = "test:down"

    async def embed(self, texts: object) -> list[tuple[float, ...]]:
        raise unavailable("down")


async def remembering(*texts: str) -> MemoryCore:
    memory = own_memory()
    await memory.log.capture(me(), a_turn(*(said(text, minutes=number) for number, text in enumerate(texts))))
    return memory


def test_a_candidate_tells_when_it_was_said_and_since_when_it_holds():
    found = a_candidate("I have lived in Lyon since 2019", lane="fact", valid_at=ago(900), observed_at=ago(3))
    use = memory_use(RankedCandidate(candidate=found, score=1.0), "relevance")
    assert (said_at(use), use["valid_since"]) == (ago(3).isoformat(), ago(900).isoformat())


def test_a_use_of_an_older_release_was_said_when_it_began():
    assert said_at(a_memory("I have lived in Lyon since 2019")) == NOW.isoformat()


async def test_without_a_model_rules_classify():
    update = await classify_intent(a_state("What do you know about me?"), a_run())
    assert update == {"intent": classify("What do you know about me?", 0).model_dump()}


async def test_the_fast_model_classifies():
    model = FakeModel(forms=[IntentForm(intent_type="recommend")])
    update = await classify_intent(a_state("something warm for the evening, perhaps"), a_run(Leanings(fast=model)))
    intent = Intent.model_validate(update["intent"])
    assert (intent.intent_type, intent.retrieval_intent, intent.phase) == ("recommend", "preference", "discussion")
    assert model.asked[0][-1].text == "<message>\nsomething warm for the evening, perhaps\n</message>"


@pytest.mark.parametrize(
    "text", ["I live in Lyon.", "What did I tell you about my sister?", "thanks, bye", "我住在杭州。"]
)
async def test_no_model_is_asked_what_rules_are_sure_of(text: str):
    model = FakeModel()
    update = await classify_intent(a_state(text), a_run(Leanings(fast=model)))
    assert (update, model.asked) == ({"intent": classify(text, 0).model_dump()}, [])


@pytest.mark.parametrize("text", ["I need a gift for my sister's birthday.", "我想买个新手机", "Tell me about Rome."])
async def test_a_wish_between_the_lines_is_left_to_the_model(text: str):
    model = FakeModel(forms=[IntentForm(intent_type="recommend")])
    update = await classify_intent(a_state(text), a_run(Leanings(fast=model)))
    assert update["intent"]["intent_type"] == "recommend"


async def test_plain_talk_is_not_rewritten():
    model = FakeModel()
    assert await rewrite_query(a_state("I live in Lyon."), a_run(Leanings(fast=model))) == {"queries": []}
    assert model.asked == []


def test_the_form_asks_only_for_what_is_used():
    assert list(IntentForm.model_fields) == ["intent_type"]


async def test_a_failing_classifier_is_replaced_by_rules_and_named():
    model = FakeModel(forms=[ModelMalformed("not JSON")])
    update = await classify_intent(a_state("Tell me about Rome."), a_run(Leanings(fast=model)))
    assert Intent.model_validate(update["intent"]) == classify("Tell me about Rome.", 0)
    assert update["degraded"] == ["intent_model_failed"]


async def test_rewriting_gives_other_queries_without_the_original():
    model = FakeModel(forms=[Rewriting(queries=["tea I like", "what do i like?", "favourite drink"])])
    update = await rewrite_query(a_state("What do I like?"), a_run(Leanings(fast=model)))
    assert update == {"queries": ["tea I like", "favourite drink"]}


async def test_the_same_question_is_rewritten_once():
    run = a_run(Leanings(fast=FakeModel(forms=[Rewriting(queries=["tea"])])))
    await rewrite_query(a_state("What do I like?"), run)
    assert await rewrite_query(a_state("what do I like"), run) == {"queries": ["tea"]}


async def test_a_failing_rewriter_leaves_the_users_own_words():
    run = a_run(Leanings(fast=FakeModel(forms=[ModelUnavailable("model_timeout")])))
    assert await rewrite_query(a_state(), run) == {"queries": [], "degraded": ["query_rewrite_failed"]}


async def test_without_a_model_nothing_is_rewritten():
    assert await rewrite_query(a_state(), a_run()) == {"queries": []}


def test_only_rewritten_queries_ask_again():
    assert asks_again(a_state(queries=["tea"])) == "retrieve_rewritten"
    assert asks_again(a_state()) == "rerank"


async def test_retrieving_brings_what_bears_on_the_users_words():
    memory = await remembering("My cat is called Schnurri", "It rains")
    update = await retrieve(a_state("What is my cat called?"), a_run(Leanings(memory=memory)))
    (brought,) = update["passes"]
    assert brought.candidates[0].text == "My cat is called Schnurri"
    assert update["degraded"] == []


async def test_each_rewritten_query_is_a_pass_of_its_own():
    memory = await remembering("My cat is called Schnurri")
    state = a_state("And her?", queries=["cat", "pet"])
    passes = (await retrieve_rewritten(state, a_run(Leanings(memory=memory))))["passes"]
    assert [each.query.text for each in passes] == ["cat", "pet"]
    assert [[found.text for found in each.candidates] for each in passes] == [["My cat is called Schnurri"], []]


async def test_an_embedder_that_is_down_leaves_the_words():
    memory = await remembering("My cat is called Schnurri")
    run = a_run(Leanings(memory=memory, embedder=SlowEmbedder()))
    update = await retrieve(a_state("my cat"), run)
    assert update["degraded"] == ["embedder_unavailable"]
    assert update["passes"][0].candidates[0].text == "My cat is called Schnurri"


async def ranked_turn(run_memory: MemoryCore, question: str, **context: Any) -> dict[str, Any]:
    run = a_run(Leanings(memory=run_memory), **context)
    state = a_state(question)
    passes = (await retrieve(state, run))["passes"]
    return await rerank(replace(state, passes=passes), run)


async def test_what_was_said_goes_on_with_its_place_in_the_turn():
    memory = await remembering(HOSTELS, "My cat is called Schnurri")
    update = await ranked_turn(memory, "Who keeps bees? And what is my cat called?")
    spans = {each["text"]: each["span"] for each in update["memories"]}
    whole = spans.pop("My cat is called Schnurri")
    assert (whole["start"], whole["end"]) == (0, 25)
    assert spans
    assert all(HOSTELS[span["start"] : span["end"]] == text for text, span in spans.items())
    ids = {each["memory_id"] for each in update["memories"]}
    assert {span["event_id"] for span in spans.values()}.isdisjoint(ids)
    assert [each["span"] for each in update["retrieval"]["candidates"] if each["id"] in ids]


async def test_the_best_go_on_and_the_next_are_kept_with_the_reason():
    memory = await remembering(*(f"I own bicycle number {n}" for n in range(12)))
    update = await ranked_turn(memory, "Which bicycle do I own?", max_memories=3)
    assert [len(update["memories"]), {each["decision_reason"] for each in update["memories"]}] == [3, {"relevance"}]
    assert {each["decision_reason"] for each in update["rejected"]} == {"below_cut"}


async def test_the_receipt_names_policy_queries_and_candidates():
    memory = await remembering("My cat is called Schnurri")
    update = await ranked_turn(memory, "my cat", ranking_policy="s0-rrf@1")
    retrieval = update["retrieval"]
    assert retrieval["policy"] == "s0-rrf@1"
    assert retrieval["queries"] == ["my cat"]
    assert len(retrieval["candidates"]) == 1


async def test_what_the_model_reads_in_the_window_is_not_repeated_as_memory():
    memory = await remembering("My cat is called Schnurri")
    run = a_run(Leanings(memory=memory, chat=FakeModel()))
    state = a_state("my cat")
    passes = (await retrieve(state, run))["passes"]
    session_id = passes[0].candidates[0].session_id
    opened = await memory.log.open(me(), session_id, 10)
    assert (await rerank(replace(state, passes=passes, opened=opened), run))["memories"] == []


async def test_a_block_that_stands_in_the_prompt_is_not_repeated_as_memory():
    memory = await remembering("My cat is called Schnurri")
    run = a_run(Leanings(memory=memory, chat=FakeModel()))
    state = a_state("my cat")
    (found,) = (await retrieve(state, run))["passes"]
    block = replace(found.candidates[0], lane="summary", text="The cat is called Schnurri.")
    passes = [replace(found, candidates=(block,))]
    shown = SessionState(summaries=("The cat is called Schnurri.",))
    assert (await rerank(replace(state, passes=passes, opened=shown), run))["memories"] == []
    elsewhere = SessionState(summaries=("Another block.",))
    assert len((await rerank(replace(state, passes=passes, opened=elsewhere), run))["memories"]) == 1
