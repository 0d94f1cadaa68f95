"""What providers may keep in their cache: the bytes of a prompt before what was recalled."""

import json
from collections.abc import AsyncGenerator
from itertools import count, pairwise
from typing import Any

import httpx
import pytest
import respx
from brain_memory.langchain import BrainMiddleware
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

from tests.openai_wire import Call, Said, completion
from tests.respx_httpx2 import HTTPX2
from tests.unit.client.agents import an_agent, ask
from tests.unit.client.fake_server import FakeServer, Mode

BASE_URL = "http://model.test/v1"
SYSTEM = "You are a waiter. " * 20


@tool
def look_up(word: str) -> str:
    """Look a word up."""
    return f"{word}: found"


@pytest.fixture
async def wire() -> AsyncGenerator[list[Any]]:
    """What the model is asked; every second answer calls the tool."""
    numbers, bodies = count(), list[Any]()

    def answer(request: httpx.Request) -> httpx.Response:
        number = next(numbers)
        bodies.append(json.loads(request.content))
        looks = Call(name="look_up", arguments='{"word": "leaf"}', id=f"call_{number}")
        said = Said(text=f"Answer {number}.") if number % 2 else Said(calls=(looks,))
        return httpx.Response(200, json=completion(said))

    async with respx.mock(base_url=BASE_URL, using=HTTPX2) as router:
        router.post("/chat/completions").mock(side_effect=answer)
        yield bodies


class ChangingServer(FakeServer):
    """Recalls something else for every question."""

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.answers["before_llm"] = {"context": f"<m>{len(self.requests)}</m>", "memories": [], "session": "s"}
        return super().handle(request)


@pytest.mark.parametrize("mode", ["sync", "async"])
async def test_all_before_what_is_recalled_is_the_same_byte_by_byte_over_turns(mode: Mode, wire: list[Any]):
    model = ChatOpenAI(model="gpt-4.1", base_url=BASE_URL, api_key="k")  # pyright: ignore[reportArgumentType]
    memory = BrainMiddleware(ChangingServer().client(), risks={"look_up": "low"})
    agent = an_agent(memory, model, [look_up], system_prompt=SYSTEM, checkpointer=InMemorySaver())
    for number in range(5):
        await ask(mode, agent, f"Question {number}", config={"configurable": {"thread_id": "t"}})
    assert len(wire) == 10
    assert len({json.dumps(body["tools"]) for body in wire}) == 1
    for before, after in pairwise(wire[1::2]):  # the last prompt of a turn, and that of the next
        assert _prefix(after)[: len(_prefix(before))] == _prefix(before)
        assert len(_prefix(after)) > len(_prefix(before))
    for first, second in zip(wire[::2], wire[1::2], strict=True):  # within a turn nothing moves at all
        assert _bytes(second["messages"]).startswith(_bytes(first["messages"]))


def _prefix(body: dict[str, Any]) -> bytes:
    """The messages before what was recalled, as they went over the wire."""
    contents = [str(each["content"]) for each in body["messages"]]
    (place,) = [place for place, content in enumerate(contents) if content.startswith("<m>")]
    return _bytes(body["messages"][:place])


def _bytes(messages: list[Any]) -> bytes:
    return json.dumps(messages).removesuffix("]").encode()
