"""The two calls around another agent's model, on the fake memory."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.memory_api.endpoint import ApiCall
from apps.memory_api.turns import AfterLlm, BeforeLlm, Captured, PromptContext, capture_turn, recall_for_prompt
from brain.identity import identity_of
from brain.resources import Resources
from tests.fakes import NOW, Leanings, a_run, resources_of


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


async def test_a_newer_memory_that_stays_out_leaves_an_older_one_in_doubt():
    agent = Agent()
    for day, said in enumerate(("I live in Ghent with my sister Maud.", "I live in Lyon now.")):
        await agent.say(said, day=day)
    told = await agent.recall("Do I live in Ghent with Maud?")
    assert [each.text for each in told.memories] == ["I live in Ghent with my sister Maud."]
    assert 'status="earlier"' in told.context.partition("<memories")[2]
