"""What a crash leaves of a conversation whose client keeps it: each turn once, and an answer to who asks again."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its graph types partly open.

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from apps.chat_api.request import ChatMessage, transcript_of
from apps.chat_api.turn import ChatTurn, TurnRunner
from apps.threads.checkpointer import CAPTURED, Saver
from brain.context import Context
from brain.resources import Resources, utc_now
from graphs.brain import builder
from memory.chat_exchanges import ChatExchange
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.chat_exchanges import PostgresChatExchanges
from memory.postgres.database import Database
from memory.postgres.pools import checkpoint_pool
from memory.postgres.roles import Addresses
from memory.scope import Scope, name_id
from tests.fakes import Leanings, resources_of

TOLD = ("My cat is called Minou.", "My dog is called Rex.", "My bird is called Kiwi.")
ROLES = ("user", "assistant")


class FallibleExchanges(PostgresChatExchanges):
    """Refuses to keep the next answers, as a database that goes away between two statements."""

    refused: int = 0

    async def save(self, scope: Scope, exchange: ChatExchange, keep_after: datetime) -> None:
        is_answer = not exchange.is_open
        if is_answer and self.refused:
            object.__setattr__(self, "refused", self.refused - 1)
            raise BrainError("E_DEP_UNAVAILABLE", "The database does not answer.")
        await super().save(scope, exchange, keep_after)

    def refuse(self, answers: int) -> None:
        object.__setattr__(self, "refused", answers)


@dataclass
class Client:
    """Somebody whose client keeps the conversation; ``named`` is its own name for it."""

    runner: TurnRunner
    exchanges: FallibleExchanges
    owner: str
    named: str | None = None
    user: str = field(default_factory=lambda: f"ann {uuid4()}")
    said: list[str] = field(default_factory=list[str])

    @property
    def user_id(self) -> Any:
        return name_id("user", "crashes", self.user)

    async def say(self, text: str) -> str:
        """Say something behind all that was answered; the reply."""
        texts = [*self.said, text]
        messages = [ChatMessage(role=ROLES[place % 2], content=each) for place, each in enumerate(texts)]  # pyright: ignore
        context = Context(resources=self.runner.resources, tenant="crashes", user=self.user)
        turn = ChatTurn(context=context, user=None, said=transcript_of(messages), session_name=self.named)
        reply = await self.runner.run(turn, lambda words: None)
        self.said = [*texts, reply.text]
        return reply.text

    def change(self, statement: str) -> None:
        """Change this person's rows behind the server's back."""
        with psycopg.connect(self.owner) as connection:
            connection.execute(statement.encode(), (self.user_id,))

    def rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.owner) as connection:
            return [row[0] for row in connection.execute(query.encode(), (self.user_id,))]

    def words(self) -> list[str]:
        return self.rows(
            "select text from brain.conversation_events where user_id = %s and role = 'user' order by occurred_at"
        )

    def left(self) -> int:
        """How many turns do not count."""
        (found,) = self.rows("select count(*) from brain.operations where user_id = %s and left_at is not null")
        return int(found)

    async def thread(self) -> list[str]:
        """What the person said in the thread; every message of it was answered."""
        (session,) = self.rows("select session_id::text from brain.sessions where user_id = %s")
        found = await self.runner.saver.aget_tuple({"configurable": {"thread_id": session, "checkpoint_ns": ""}})
        assert found is not None
        messages = found.checkpoint["channel_values"]["messages"]
        assert [each.type for each in messages] == ["human", "ai"] * (len(messages) // 2)
        return [each.text for each in messages if each.type == "human"]

    async def assert_told_once(self, *texts: str) -> None:
        """The log and the thread have these words once and in order, and every turn counts."""
        assert self.words() == list(texts)
        assert await self.thread() == list(texts)
        assert set(self.rows("select status from brain.operations where user_id = %s and left_at is null")) == {
            "queued"
        }
        assert self.rows("select count(*) from brain.operations where user_id = %s and left_at is not null") == [0]


@pytest.fixture(params=[None, "garden"])
async def ann(request: pytest.FixtureRequest, test_addresses: Addresses, database: Database) -> AsyncGenerator[Client]:
    exchanges = FallibleExchanges(database)
    memory = replace(postgres_memory(database), chat_exchanges=exchanges)
    resources = resources_of(Leanings(memory=memory))
    resources = replace(resources, new_id=Resources.__dataclass_fields__["new_id"].default, clock=utc_now)
    async with checkpoint_pool(test_addresses.app) as pool:
        saver = Saver(pool, memory.log.take_back)
        graph: Any = builder.compile(checkpointer=saver)
        runner = TurnRunner(graph=graph, saver=saver, resources=resources)
        yield Client(runner, exchanges, test_addresses.owner, request.param)


@pytest.mark.parametrize("turns", [1, 2])
async def test_a_lost_exchange_is_found_in_the_log(ann: Client, turns: int):
    for text in TOLD[:turns]:
        await ann.say(text)
    ann.change(
        "delete from brain.chat_exchanges where user_id = %s and created_at = (select max(created_at) "
        "from brain.chat_exchanges c where c.user_id = brain.chat_exchanges.user_id)"
    )
    await ann.say(TOLD[2])
    await ann.assert_told_once(*TOLD[:turns], TOLD[2])


@pytest.mark.parametrize("turns", [1, 2])
async def test_an_answer_whose_place_is_not_kept_is_no_answer_and_comes_when_asked_again(ann: Client, turns: int):
    for text in TOLD[: turns - 1]:
        await ann.say(text)
    ann.exchanges.refuse(1)
    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await ann.say(TOLD[turns - 1])
    (logged,) = ann.rows(
        "select text from brain.conversation_events where user_id = %s and role = 'assistant' "
        "order by occurred_at desc limit 1"
    )
    assert await ann.say(TOLD[turns - 1]) == logged
    await ann.say(TOLD[2])
    await ann.assert_told_once(*TOLD[:turns], TOLD[2])


async def test_who_heard_the_answer_and_goes_on_leaves_nothing_behind(ann: Client):
    await ann.say(TOLD[0])
    ann.exchanges.refuse(1)
    with pytest.raises(BrainError):
        await ann.say(TOLD[1])
    heard = ann.rows(
        "select text from brain.conversation_events where user_id = %s and role = 'assistant' "
        "order by occurred_at desc limit 1"
    )
    ann.said += [TOLD[1], *heard]
    await ann.say(TOLD[2])
    await ann.assert_told_once(*TOLD)
    ann.said[-2:] = []
    await ann.say("My bird is called Lori.")
    assert ann.left() == 1
    assert await ann.thread() == [*TOLD[:2], "My bird is called Lori."]


async def test_a_turn_whose_checkpoint_is_lost_is_told_in_its_place(ann: Client):
    await ann.say(TOLD[0])
    (before,) = ann.rows("select checkpoint from brain.chat_exchanges where user_id = %s")
    await ann.say(TOLD[1])
    with psycopg.connect(ann.owner) as connection:
        query = "delete from checkpoint.checkpoints where thread_id = (select session_id::text from brain.sessions "
        connection.execute(f"{query} where user_id = %s) and checkpoint_id > %s".encode(), (ann.user_id, before))
        query = "update brain.chat_exchanges set checkpoint = parent_checkpoint where user_id = %s and checkpoint > %s"
        connection.execute(query.encode(), (ann.user_id, before))
    await ann.say(TOLD[2])
    await ann.assert_told_once(*TOLD)


async def test_a_checkpoint_that_is_lost_behind_its_turn_is_written_again(ann: Client, monkeypatch: pytest.MonkeyPatch):
    await ann.say(TOLD[0])
    put, lost = AsyncPostgresSaver.aput, list[str]()

    async def lose_once(saver: Any, config: Any, checkpoint: Any, metadata: Any, versions: Any) -> Any:
        if not lost and CAPTURED in versions:
            lost.append(checkpoint["id"])
            raise BrainError("E_DEP_UNAVAILABLE", "The database does not answer.")
        return await put(saver, config, checkpoint, metadata, versions)

    monkeypatch.setattr(AsyncPostgresSaver, "aput", lose_once)
    await ann.say(TOLD[1])
    assert lost
    await ann.assert_told_once(*TOLD[:2])


async def test_words_that_really_differ_are_a_fork(ann: Client):
    for text in TOLD[:2]:
        await ann.say(text)
    ann.said[-2:] = []
    await ann.say(TOLD[2])
    assert ann.left() == 1
    assert await ann.thread() == [TOLD[0], TOLD[2]]


async def test_a_greeting_that_was_not_answered_keeps_no_later_one(ann: Client):
    ann.named = None
    ann.exchanges.refuse(1)
    with pytest.raises(BrainError):
        await ann.say("Hi there.")
    ann.said = ["Hi there.", "Hello."]
    await ann.say(TOLD[0])
    ann.said = []
    await ann.say("Hi there.")
    assert ann.left() == 0
    assert ann.rows("select count(*) from brain.sessions where user_id = %s") == [2]
