"""A first message that is sent again to another process than the one that is answering it."""

import asyncio
from collections.abc import AsyncGenerator, Iterator

import pytest

from apps.chat_api import place
from memory.postgres.roles import Addresses
from tests.integration.application import an_application
from tests.integration.test_any_process import AnyOf, Somebody
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

STEPS = [Step(when=When(form=""), text="It took long.", delay=3.0, times=None), Step(status=400, times=None)]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(STEPS) as running:
        yield running


@pytest.fixture
async def ann(
    test_addresses: Addresses, model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Somebody]:
    home = tmp_path_factory.mktemp("home")
    settings = {"home": str(home), "openai_api_key": "sk-test", "base_url": model.base_url}
    async with (
        an_application(test_addresses, home, **settings) as one,
        an_application(test_addresses, home, **settings) as other,
    ):
        person = Somebody(AnyOf([one, other]), test_addresses)
        yield person
        await person.http.aclose()


async def test_a_library_that_repeats_at_another_process_waits_for_the_one_that_answers(
    ann: Somebody, model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(place, "LOOKS", 2)  # the answer takes longer than anybody waits who is not repeating
    body = {"model": "brain", "messages": [{"role": "user", "content": "My dog is slow."}]}
    first = asyncio.create_task(ann.send("/v1/chat/completions", body, **{"X-Test-Process": "0"}))
    while not any(request.streamed for request in model.requests):  # noqa: ASYNC110 -- it happens in another thread
        await asyncio.sleep(0.05)
    again = {"X-Test-Process": "1", "X-Stainless-Retry-Count": "1"}
    answers = [await ann.send("/v1/chat/completions", body, **again), await first]
    assert [each.json()["choices"][0]["message"]["content"] for each in answers] == ["It took long."] * 2
    assert ann.said() == ["My dog is slow."]
