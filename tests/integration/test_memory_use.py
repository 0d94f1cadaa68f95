"""Pinned and excluded memories in the next turn of the real graph, on a real PostgreSQL."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from brain.context import Context
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources, utc_now
from graphs.brain import builder
from graphs.evolution import evolve
from memory.errors import BrainError
from memory.memory_item import Author, ItemUse
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.scope import Scope, Speaker, scope_of
from tests.contract.builders import a_draft, by_ann
from tests.fakes import FakeModel, Leanings, a_settings, resources_of

TENANT = "using"


class Talk:
    """A conversation in a process of its own, which keeps every index from the first question on."""

    def __init__(self, database: Database, user: str, *, model: bool = False, session: str = "talk") -> None:
        self.model = FakeModel(replies=[AIMessage("Fine.") for _ in range(9)]) if model else None
        memory = postgres_memory(database, CorpusCache(first_questions=0))
        built = resources_of(Leanings(memory=memory, chat=self.model, settings=a_settings(pin_tokens=120)))
        self.without_model = resources_of(Leanings(memory=memory))
        new_id = Resources.__dataclass_fields__["new_id"].default
        self.resources: Resources = replace(built, new_id=new_id, clock=utc_now)
        self.context = Context(resources=self.resources, tenant=TENANT, user=user, session=session)
        self.scope: Scope = scope_of(Speaker(tenant=TENANT, user=user))
        self.graph: Any = builder.compile(checkpointer=InMemorySaver())
        self.state: dict[str, Any] = {}

    async def say(self, *texts: str) -> str:
        """Say all of it; the reply to the last."""
        config = {"configurable": {"thread_id": self.context.session}}
        for text in texts:
            self.state = await self.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=self.context)
        return self.state["messages"][-1].text

    async def learn(self) -> None:
        """Let memory look at what was said."""
        await evolve(self.without_model, self.scope, UUID(self.state["turn"]["session_id"]))

    async def use(self, words: str, use: ItemUse) -> UUID:
        """Set the use of the memory that holds the words."""
        items = await self.resources.memory.items.list_newest(self.scope)
        memory_id = next(item.memory_id for item in items if words in item.content)
        author = Author(operator="ann", reason="asked", idempotency_key=str(uuid4()), at=utc_now())
        await self.resources.memory.items.set_use(self.scope, memory_id, use, author)
        await try_refresh_profile(self.resources, self.scope)
        return memory_id

    @property
    def prompt(self) -> str:
        """All that the model read last."""
        assert self.model is not None
        return "\n".join(message.text for message in self.model.asked[-1])

    async def receipts(self) -> dict[UUID | None, tuple[object, object]]:
        """Why each memory was in the last prompt, or was not, and at which place."""
        operation_id = UUID(self.state["turn"]["operation_id"])
        found = await self.resources.memory.log.receipts(self.scope, operation_id)
        return {
            each.memory_id: (each.details["decision_reason"], each.details["context_position"])
            for each in found
            if each.receipt_type == "injection"
        }


@pytest.fixture
def user() -> str:
    """A person whom no other test knows."""
    return str(uuid4())


async def test_what_is_excluded_is_in_no_reply_of_any_process_until_it_is_used_again(database: Database, user: str):
    talk, elsewhere = Talk(database, user), Talk(database, user, session="elsewhere")
    await talk.say("My dentist is Doctor Okafor.", "I live in Ghent.")
    await talk.learn()
    assert "Okafor" in await talk.say("Who is my dentist?")
    assert "Okafor" in await elsewhere.say("Who is my dentist?")
    await talk.use("Okafor", "excluded")
    for each in (talk, elsewhere):
        for question in ("Who is my dentist?", "What do you know about me?", "What did we talk about?"):
            assert "Okafor" not in await each.say(question)
    assert "Ghent" in await elsewhere.say("Where do I live?")
    await elsewhere.use("Okafor", "auto")
    assert "Okafor" in await talk.say("Who is my dentist?")
    assert "Okafor" in await elsewhere.say("What do you know about me?")


async def test_in_chinese_as_well(database: Database, user: str):
    talk = Talk(database, user)
    await talk.say("我的牙医是欧卡福医生。")
    await talk.learn()
    assert "欧卡福" in await talk.say("我的牙医是谁？")
    await talk.use("欧卡福", "excluded")
    assert "欧卡福" not in await talk.say("我的牙医是谁？")
    await talk.use("欧卡福", "auto")
    assert "欧卡福" in await talk.say("我的牙医是谁？")


async def test_what_is_excluded_is_in_no_prompt_and_stays_in_the_thread(database: Database, user: str):
    talk = Talk(database, user, model=True)
    await talk.say("My dentist is Doctor Okafor.", "I live in Ghent.")
    await talk.learn()
    await talk.say("Who is my dentist?")
    assert "Okafor" in talk.prompt
    await talk.use("Okafor", "excluded")
    await talk.say("Who is my dentist?")
    assert "Okafor" not in talk.prompt
    assert "Ghent" in talk.prompt
    assert talk.state["messages"][0].text == "My dentist is Doctor Okafor."
    await talk.use("Okafor", "auto")
    await talk.say("Tell me about tulips.")
    assert "My dentist is Doctor Okafor." in talk.prompt


async def test_documents_in_the_prompt_leave_out_what_is_excluded(database: Database, user: str):
    talk, later = Talk(database, user), Talk(database, user, model=True, session="later")
    await talk.say("My dentist is Doctor Okafor.", "I live in Ghent.")
    await talk.learn()
    await talk.use("Okafor", "excluded")
    await later.say("Tell me about tulips.")
    assert ("Ghent" in later.prompt, "Okafor" in later.prompt) == (True, False)
    await talk.use("Okafor", "auto")
    await later.say("Tell me about tulips again.")
    assert "Okafor" in later.prompt


async def test_pinned_memories_stand_in_every_prompt_in_the_order_in_which_they_were_pinned(
    database: Database, user: str
):
    talk = Talk(database, user, model=True)
    await talk.say("I am allergic to peanuts.", "My dentist is Doctor Okafor.")
    await talk.learn()
    first = await talk.use("peanuts", "pinned")
    second = await talk.use("Okafor", "pinned")
    other = Talk(database, user, model=True, session="other")
    memories: list[str] = []
    for question in ("Tell me about tulips.", "What is 2 + 2?", "Who is my dentist?"):
        await other.say(question)
        assert (await other.receipts())[first] == ("pinned", 0)
        assert (await other.receipts())[second] == ("pinned", 1)
        memories.append(other.prompt.rsplit("<memories_", 1)[1].partition("\n")[2])
        assert memories[-1].index("peanuts") < memories[-1].index("Okafor")
    await other.use("peanuts", "auto")
    await other.say("Tell me about roses.")
    assert first not in await other.receipts()


async def test_pins_that_do_not_fit_are_told_and_the_last_pinned_come_first(database: Database, user: str):
    talk = Talk(database, user, model=True)
    fruits = ("apples", "pears", "plums", "grapes", "figs", "mangoes")
    for fruit in fruits:
        await talk.resources.memory.items.write(talk.scope, a_draft(fruit), by_ann(fruit))
    ids = [await talk.use(fruit, "pinned") for fruit in fruits]
    other = Talk(database, user, model=True, session="other")
    await other.say("Tell me about tulips.")
    reasons = [(await other.receipts())[each][0] for each in ids]
    shown = reasons.count("pinned")
    assert 0 < shown < len(fruits)
    assert reasons == ["budget_exceeded"] * (len(fruits) - shown) + ["pinned"] * shown


async def test_a_pin_costs_no_round_trip_and_answers_no_question_that_it_does_not_bear_on(
    database: Database, user: str
):
    talk = Talk(database, user)
    await talk.say("I am allergic to peanuts.")
    await talk.learn()
    await talk.use("peanuts", "pinned")
    before = database.round_trips
    assert "peanuts" not in await talk.say("Who is my dentist?")
    assert database.round_trips - before == 3
    assert "peanuts" in await talk.say("What am I allergic to?")


async def test_somebody_elses_memory_is_not_found_and_stands_in_no_prompt_of_theirs(database: Database, user: str):
    talk, other = Talk(database, user), Talk(database, str(uuid4()), model=True)
    await talk.say("I am allergic to peanuts.")
    await talk.learn()
    mine = await talk.use("peanuts", "pinned")
    await other.say("What am I allergic to?")
    assert "peanuts" not in other.prompt
    author = Author(operator="bob", reason="asked", idempotency_key="k", at=utc_now())
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await other.resources.memory.items.set_use(other.scope, mine, "excluded", author)
    assert (await talk.resources.memory.items.get(talk.scope, mine)).use == "pinned"
