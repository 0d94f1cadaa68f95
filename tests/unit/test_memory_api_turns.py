"""The two calls around another agent's model."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from apps.memory_api.endpoint import ApiCall
from apps.memory_api.turns import AfterLlm, BeforeLlm, Captured, PromptContext, capture_turn, recall_for_prompt
from brain.identity import identity_of
from brain.resources import Resources
from memory.documents.document import DocumentDraft
from tests.contract.builders import by_ann
from tests.fakes import NOW, Leanings, a_run, resources_of

pytestmark = pytest.mark.usefixtures("memory")


@dataclass(frozen=True)
class Agent:
    """An agent that speaks for one person, a day between its turns."""

    resources: Resources = field(default_factory=lambda: resources_of(Leanings()))

    def call(self, trace_id: str = "t") -> ApiCall:
        return ApiCall(identity=identity_of(a_run()), resources=self.resources, trace_id=trace_id)

    async def recall(self, message: str, **more: Any) -> PromptContext:
        return (await recall_for_prompt(BeforeLlm(message=message, **more), self.call())).data

    async def say(self, message: str, reply: str = "I see.", day: int = 0, **more: Any) -> Captured:
        said_at = NOW - timedelta(days=100 - day)
        said = AfterLlm(user_message=message, assistant_message=reply, said_at=said_at, **more)
        return (await capture_turn(said, self.call())).data

    async def reason(self, operation_id: UUID) -> tuple[str, str | None]:
        operation = await self.resources.memory.log.operation(self.call().scope, operation_id)
        assert operation
        return operation.status, operation.reason


async def test_who_asks_how_things_came_to_be_is_told_in_order():
    agent = Agent()
    for day, town in enumerate(("Ghent", "Lyon", "Porto", "Riga")):
        await agent.say(f"I have moved, I live in {town} now.", day=day)
    told = [each.text for each in (await agent.recall("Where did I live before?")).memories]
    assert len(told) > 1
    assert told == sorted(told)


async def test_a_profile_that_is_recalled_repeats_no_memory_beside_it():
    agent = Agent()
    await agent.say("I keep bees on the roof.")
    profile = DocumentDraft(kind="user_profile", name="profile", body="# Profile\n\n- I keep bees on the roof.\n")
    await agent.resources.memory.documents.save(agent.call().scope, profile, 0, by_ann("p"))
    told = await agent.recall("Do I keep bees?")
    assert [each.lane for each in told.memories] == ["turn"]
    assert told.context.count("bees on the roof") == 1


async def test_a_newer_memory_that_stays_out_leaves_an_older_one_in_doubt():
    agent = Agent()
    for day, said in enumerate(("I live in Ghent with my sister Maud.", "I live in Lyon now.")):
        await agent.say(said, day=day)
    told = await agent.recall("Do I live in Ghent with Maud?")
    assert [each.text for each in told.memories] == ["I live in Ghent with my sister Maud."]
    assert 'about="no longer so: Ghent; now: Lyon"' in told.context.partition("<memories")[2]


@pytest.mark.parametrize("message", ["Don't write this down: I am allergic to plums.", "这句不要存：我讨厌李子"])
async def test_what_is_not_to_be_noted_is_neither_learnt_nor_recalled(message: str):
    agent = Agent()
    kept = await agent.say(message, "Plums, 李子.")
    assert await agent.reason(kept.operation_id) == ("nothing", "off the record")
    assert (await agent.recall("What about plums?")).memories == []
    assert (await agent.recall("李子呢？")).memories == []
    next_turn = await agent.say("I keep bees.")
    assert (await agent.reason(next_turn.operation_id))[0] == "queued"
    assert (await agent.recall("Do I keep bees?")).context


async def test_off_the_record_lasts_in_its_session_until_it_is_taken_back():
    agent = Agent()
    said = ("Off the record from now on.", "I am allergic to plums.", "Back on the record.", "I keep bees.")
    turns = [await agent.say(each, session="s", day=day) for day, each in enumerate(said)]
    reasons = [(await agent.reason(each.operation_id))[1] for each in turns]
    assert reasons == ["off the record"] * 3 + [None]
    elsewhere = await agent.say("I like plums.", session="t", day=9)
    assert await agent.reason(elsewhere.operation_id) == ("queued", None)
    assert [each.text for each in (await agent.recall("What about plums?")).memories] == ["I like plums."]


async def test_a_turn_off_the_record_judges_no_memory():
    agent = Agent()
    await agent.say("I live in Ghent.")
    await agent.recall("Where do I live?")
    asked = await agent.say("Where do I live?", "In Ghent.", trace_id="t", day=1)
    await agent.say("Exactly, thank you! Don't write this down, please.", day=2)
    receipts = await agent.resources.memory.log.receipts(agent.call().scope, asked.operation_id)
    assert receipts
    assert {each.user_feedback_signal for each in receipts} == {None}
