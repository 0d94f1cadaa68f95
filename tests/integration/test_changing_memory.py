"""Forgetting and correcting in the conversation, on a real PostgreSQL."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from psycopg import AsyncConnection

from brain.context import Context
from brain.resources import Resources, utc_now
from graphs.brain import builder
from graphs.evolution import evolve
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.fakes import Leanings, resources_of

TENANT = "changing"


@pytest.fixture
def user() -> str:
    """A person whom no other test knows."""
    return str(uuid4())


class Talk:
    """A conversation of Ann's in a process of its own."""

    def __init__(self, database: Database, user: str, session: str = "talk") -> None:
        built = resources_of(Leanings(memory=postgres_memory(database)))
        new_id = Resources.__dataclass_fields__["new_id"].default
        self.resources: Resources = replace(built, new_id=new_id, clock=utc_now)
        self.context = Context(resources=self.resources, tenant=TENANT, user=user, session=session)
        self.graph: Any = builder.compile(checkpointer=InMemorySaver())
        self.state: dict[str, Any] = {}

    async def say(self, *texts: str) -> str:
        """Say all of it; the reply to the last."""
        config = {"configurable": {"thread_id": "t"}}
        for text in texts:
            self.state = await self.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=self.context)
        return self.state["messages"][-1].text


async def test_what_is_forgotten_leaves_thread_window_recall_and_memories_and_can_come_back(
    database: Database, user: str
):
    talk = Talk(database, user)
    await talk.say("My cat is called Schnurri.", "I live in Ghent.")
    session = UUID(talk.state["turn"]["session_id"])
    await evolve(talk.resources, scope_of(Speaker(tenant=TENANT, user=user)), session)
    assert "Schnurri" in await talk.say("Please forget my cat.")
    await talk.say("I like tea.")
    opened = await talk.resources.memory.log.open(scope_of(Speaker(tenant=TENANT, user=user)), session, 20)
    kept = "\n".join([*(each.text for each in talk.state["messages"]), *(each.text for each in opened.window)])
    assert "Schnurri" not in kept
    assert "Schnurri" not in await talk.say("What is my cat called?")
    assert await talk.say("undo that") != ""
    assert "Schnurri" in await talk.say("What is my cat called?")


async def test_an_open_question_is_answered_in_another_process(database: Database, user: str):
    asked = await Talk(database, user).say("My sister Nora is a nurse.", "My sister Orla paints.", "forget my sister")
    assert "1. " in asked
    assert "2. " in asked
    reply = await Talk(database, user).say("both")
    assert "Nora" in reply
    assert "Orla" in reply
    assert "Nora" not in await Talk(database, user).say("What is my sister called?")


async def test_off_the_record_holds_in_another_process(database: Database, user: str):
    await Talk(database, user).say("off the record from now on")
    talk = Talk(database, user)
    await talk.say("I hate my boss.", "back on the record", "I like tea.")
    rows = await talk.resources.memory.index.rows_without_vector(
        scope_of(Speaker(tenant=TENANT, user=user)), "any", 100
    )
    assert [each.text for each in rows if each.lane == "turn"] == ["I like tea."]


@pytest.mark.parametrize(
    "words",
    [
        "undo that",
        "Sorry, I didn't mean to delete that, please restore it.",
        "bring that back",
        "restore my cat",
        "刚才删错了，帮我恢复一下",
        "撤销",
    ],
)
async def test_what_was_forgotten_comes_back_in_a_later_session_in_many_words(
    database: Database, user: str, words: str
):
    await Talk(database, user).say("My cat is called Schnurri.", "Please forget my cat.")
    later = Talk(database, user, session="the next day")
    assert "Schnurri" in await later.say(words)
    assert "Schnurri" in await later.say("What is my cat called?")


async def test_each_undo_takes_the_change_before_back(database: Database, user: str):
    talk = Talk(database, user)
    await talk.say(
        "My cat is called Schnurri.", "I live in Ghent.", "Please forget my cat.", "Forget that I live in Ghent."
    )
    assert await talk.say("undo that") == "Taken back: “I live in Ghent”."
    assert await talk.say("undo that") == "Taken back: “My cat is called Schnurri”."
    assert await talk.say("undo that") == "Nothing was changed within the last day that I could take back."


async def test_after_a_day_by_the_clock_of_the_database_nothing_comes_back_by_a_word(
    database: Database, user: str, test_addresses: Addresses
):
    talk = Talk(database, user)
    await talk.say("My cat is called Schnurri.", "Please forget my cat.")
    age = "update brain.memory_versions set written_at = written_at - interval '25 hours' where user_id = %s"
    async with await AsyncConnection.connect(test_addresses.owner, autocommit=True) as owner:
        await owner.execute("alter table brain.memory_versions no force row level security")
        await owner.execute(age, [scope_of(Speaker(tenant=TENANT, user=user)).user_id])
        await owner.execute("alter table brain.memory_versions force row level security")
    assert await talk.say("undo that") == "Nothing was changed within the last day that I could take back."


async def test_nobody_takes_back_what_somebody_else_forgot(database: Database, user: str):
    await Talk(database, user).say("My cat is called Schnurri.", "Please forget my cat.")
    assert "Schnurri" not in await Talk(database, str(uuid4())).say("undo that")


async def test_a_value_that_no_memory_holds_is_said_to_be_unknown_and_nothing_goes(database: Database, user: str):
    talk = Talk(database, user)
    reply = await talk.say("I live in Ghent.", "Forget that I live in Paris.")
    assert reply == "I remember nothing like that, so there is nothing to forget."
    await talk.say("show me what I told you about where I live")
    assert "Ghent" in await talk.say("Where do I live?")
