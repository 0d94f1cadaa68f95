"""Time travel through the official client, as Studio and chat interfaces do it."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import pytest

from tests.integration.callers import Callers, Client
from tests.integration.server import Server, said

CAT = "What is my cat called?"


@dataclass(frozen=True)
class Talk:
    """One person in one thread of a server."""

    client: Client
    thread: str
    user: str

    async def say(self, text: str, *, id: str = "", checkpoint: str | None = None, **context: Any) -> str:
        """Say something, at the head or from a checkpoint; the reply."""
        words = {"messages": [{"role": "user", "content": text, "id": id or str(uuid4())}]}
        return await self.run(words, checkpoint, **context)

    async def run(self, given: dict[str, Any] | None, checkpoint: str | None = None, **context: Any) -> str:
        state = await self.client.runs.wait(
            self.thread,
            "brain",
            input=given,
            checkpoint_id=checkpoint,
            context={"tenant": "acme", "user": self.user, **context},
        )
        assert "__error__" not in state, state
        return said(dict(state))

    async def history(self) -> list[dict[str, Any]]:
        return list(await self.client.threads.get_history(self.thread, limit=200))

    async def checkpoint(self, step: str = "") -> str:
        """The newest checkpoint, or the newest from which a step is next."""
        found = next(each for each in await self.history() if not step or step in each["next"])
        return str(found["checkpoint"]["checkpoint_id"])

    async def elsewhere(self, text: str) -> str:
        """Say something in another thread of the same person."""
        other = replace(self, thread=(await self.client.threads.create())["thread_id"])
        return await other.say(text)


@pytest.fixture
async def ann(open_server: Server, callers: Callers) -> Talk:
    client = callers.anybody(open_server)
    return Talk(client, (await client.threads.create())["thread_id"], f"ann {uuid4()}")


async def test_a_fork_before_a_fact_does_not_know_it(ann: Talk):
    await ann.say("I live in Lisbon.")
    before = await ann.checkpoint()
    await ann.say("I moved to Porto.")
    reply = await ann.say("Where do I live?", checkpoint=before)
    assert "Lisbon" in reply
    assert "Porto" not in reply
    assert "Porto" not in await ann.elsewhere("Where do I live?")


async def test_an_edited_state_is_run_from_its_own_checkpoint(ann: Talk):
    await ann.say("My cat is called Minou.", id="m1")
    before = await ann.checkpoint("open_session")
    changed = {"messages": [{"role": "user", "content": "My cat is called Tiger.", "id": "m1"}]}
    forked = await ann.client.threads.update_state(ann.thread, changed, as_node="__start__", checkpoint_id=before)
    await ann.run(None, forked["checkpoint"]["checkpoint_id"])
    reply = await ann.elsewhere(CAT)
    assert "Tiger" in reply
    assert "Minou" not in reply


async def test_a_message_that_is_edited_in_a_chat_replaces_the_first(ann: Talk):
    await ann.say("Good morning.")
    before = await ann.checkpoint()
    await ann.say("My cat is called Minou.")
    await ann.say("My cat is called Tiger.", checkpoint=before)
    reply = await ann.elsewhere(CAT)
    assert "Tiger" in reply
    assert "Minou" not in reply


async def test_a_reply_that_is_regenerated_belongs_to_the_same_turn(ann: Talk):
    await ann.say("My cat is called Minou.")
    first = (await ann.history())[0]["values"]["turn"]["operation_id"]
    await ann.run(None, await ann.checkpoint("respond"))
    state = (await ann.history())[0]["values"]
    assert state["turn"]["operation_id"] == first
    assert [message["type"] for message in state["messages"]] == ["human", "ai"]
    assert "Minou" in await ann.elsewhere(CAT)


async def test_every_checkpoint_is_replayed(ann: Talk):
    await ann.elsewhere("My cat is called Minou.")
    reply = await ann.say(CAT)
    for at in [each for each in await ann.history() if each["next"]]:
        assert await ann.run(None, at["checkpoint"]["checkpoint_id"]) == reply, at["next"]


async def test_a_copied_thread_teaches_nothing(ann: Talk):
    await ann.say("My cat is called Minou.")
    copied = await ann.client.threads.copy(ann.thread)
    await replace(ann, thread=copied["thread_id"]).say("My dog is called Rex.")
    assert "Rex" not in await ann.elsewhere("What is my dog called?")
    assert "Minou" in await ann.elsewhere(CAT)


async def test_what_is_not_to_be_learnt_is_not(ann: Talk):
    await ann.say("My dog is called Rex.", learn=False)
    assert "Rex" not in await ann.elsewhere("What is my dog called?")
