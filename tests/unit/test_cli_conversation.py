"""A conversation at the terminal over the real graph."""

from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from apps.cli.conversation import Exchange, TurnListener, exchange, owner_of
from apps.cli.step_spinner import NODE_LABELS
from apps.cli.why import explain, fetch_reasons
from brain.context import Context
from memory.errors import BrainError
from memory.log import Outcome
from tests.fakes import NOW, FakeModel, Leanings, resources_of
from tests.this_test import own_memory, own_tenant
from tests.unit.test_passages import HOSTELS

pytestmark = pytest.mark.usefixtures("memory")


NODES = {
    "open_session",
    "classify_intent",
    "rewrite_query",
    "retrieve",
    "consult_knowledge",
    "rerank",
    "sanitize",
    "assemble",
    "check_guard",
    "respond",
    "capture_signals",
}


def a_conversation(leanings: Leanings | None = None, saver: InMemorySaver | None = None, **who: Any) -> Exchange:
    named: dict[str, Any] = {"session": "s", "tenant": own_tenant()} | who
    context = Context(resources=resources_of(leanings or Leanings()), **named)
    return exchange(saver or InMemorySaver(), context)


async def test_a_turn_reports_what_was_said_used_and_measured():
    leanings = Leanings(memory=own_memory())
    await a_conversation(leanings, session="monday").say("I love green tea")
    report = await a_conversation(leanings, session="friday").say("What do I love?")
    assert "green tea" in report["reply"]
    assert [memory["text"] for memory in report["memories"]] == ["I love green tea"]
    assert report["memories"][0]["position"] == 0
    assert report["memories"][0]["lane"] == "turn"
    assert report["degraded_reasons"] == ["model_not_configured"]
    assert len(report["receipt_ids"]) == 2
    assert report["session"] == "friday"
    assert set(report["node_ms"]) == NODES
    assert all(0 < spent < report["turn_ms"] for spent in report["node_ms"].values())


async def test_the_words_arrive_once_even_when_they_come_as_a_whole_message():
    model = FakeModel(replies=[AIMessage("Hello there.")])
    heard: list[str] = []
    report = await a_conversation(Leanings(chat=model)).say("Hi", TurnListener(on_token=heard.append))
    assert heard == ["Hello there."]
    assert report["reply"] == "Hello there."


async def test_what_people_say_under_the_same_session_name_stays_apart():
    leanings, saver = Leanings(memory=own_memory()), InMemorySaver()
    await a_conversation(leanings, saver, user="ann").say("My secret is plum")
    await a_conversation(leanings, saver, user="bob").say("Hello")
    threads = {checkpoint.config.get("configurable", {})["thread_id"] for checkpoint in saver.list(None)}
    bob = a_conversation(leanings, saver, user="bob")
    assert len(threads) == 2
    assert "plum" not in str(await bob.say("What is the secret?"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("", "empty"), ("   ", "empty"), ("x" * 1_000_000, "characters"), ("nul \x00", "NUL"), ("\ud800", "Unicode")],
)
async def test_a_message_that_cannot_be_taken_is_refused_and_the_conversation_goes_on(text: str, complaint: str):
    talk = a_conversation()
    with pytest.raises(BrainError, match=complaint) as refused:
        await talk.say(text)
    assert refused.value.code == "E_BAD_REQUEST"
    assert (await talk.say("Hello"))["reply"]


def test_a_session_without_a_name_is_named_by_the_time():
    talk = a_conversation(session="")
    assert talk.context.session == NOW.isoformat(timespec="milliseconds")


@pytest.mark.parametrize("who", [{"time_zone": "Mars/Olympus"}, {"user": ""}, {"tenant": "x" * 600}])
def test_a_name_or_a_zone_that_cannot_be_used_is_refused_at_once(who: dict[str, Any]):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        a_conversation(**who)


async def test_why_shows_each_memory_with_its_turn_and_whether_the_hash_holds():
    leanings = Leanings(memory=own_memory())
    await a_conversation(leanings, session="monday").say("I love green tea")
    talk = a_conversation(leanings, session="friday")
    report = await talk.say("What do I love?")
    told = "\n".join(explain(await fetch_reasons(leanings.memory, talk.scope, report)))
    assert "Used:" in told
    assert "I love green tea" in told
    assert "number 1 before the model, fits the question, said" in told
    assert "sha256 38a9d430137a…, verified" in told


async def test_why_quotes_the_passage_and_its_place_and_hashes_the_whole_turn():
    leanings = Leanings(memory=own_memory())
    await a_conversation(leanings, session="monday").say(HOSTELS)
    talk = a_conversation(leanings, session="friday")
    told = await fetch_reasons(leanings.memory, talk.scope, await talk.say("Who keeps bees?"))
    (proof,) = told[0].proofs
    assert proof.quote == told[0].memory["text"] == HOSTELS[proof.start : proof.end]
    assert proof.sha256 == sha256(HOSTELS.encode()).hexdigest()
    assert proof.verified
    assert f"characters {proof.start}–{proof.end}" in "\n".join(explain(told))


async def test_why_says_so_when_nothing_was_used():
    talk = a_conversation()
    report = await talk.say("Hello")
    assert list(explain(await fetch_reasons(talk.context.resources.memory, talk.scope, report))) == [
        "No memory was used, and none was considered."
    ]


async def test_settling_waits_for_the_memory_work_and_for_no_longer_than_it_may():
    talk = a_conversation()
    report = await talk.say("I love green tea")
    await talk.wait_for_memory(report["operation_id"], 0.05)
    log, scope = talk.context.resources.memory.log, owner_of(talk.context).scope
    found = await log.operation(scope, UUID(report["operation_id"]))
    assert found is not None
    assert found.status == "queued"
    await log.finish(scope, {UUID(report["operation_id"]): Outcome(status="nothing", reason="small talk")}, NOW)
    await talk.wait_for_memory(report["operation_id"], 60)


async def test_what_was_said_before_is_at_hand_when_a_session_is_continued():
    saver = InMemorySaver()
    await a_conversation(saver=saver).say("I like tea.")
    assert await a_conversation(saver=saver).earlier_messages() == ["I like tea."]
    assert await a_conversation(saver=saver, session="another").earlier_messages() == []


async def test_a_turn_says_which_nodes_are_at_work_and_what_it_did_to_memory():
    running: list[tuple[str, ...]] = []
    listener = TurnListener(on_nodes=lambda nodes: running.append(tuple(nodes)))
    report = await a_conversation(Leanings(memory=own_memory())).say("Remember: I like tea.", listener)
    assert running[0] == ("open_session",)
    assert running[-1] == ()
    assert {node for nodes in running for node in nodes} <= NODE_LABELS.keys()
    assert report["change"] == "remember"
