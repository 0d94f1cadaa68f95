"""A server that is told to stop while answers take longer than its patience."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory.postgres.roles import Addresses
from tests.integration.brain_process import PATIENCE
from tests.integration.serving import Serving, a_serving
from tests.integration.test_sent_again import asked_of_model, connect, streamed_to_end, wait_for
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

STEPS = [Step(when=When(form=""), held=True, times=None), Step(status=400, times=None)]


@pytest.fixture
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(STEPS) as running:
        yield running


@pytest.fixture
def serving(fresh_database: Addresses, model: ScriptedOpenAI, tmp_path: Path) -> Iterator[Serving]:
    chosen = {"openai_api_key": "sk-test", "base_url": model.base_url, "auth_api_keys": "true", "stop_patience": "2"}
    with a_serving(tmp_path, fresh_database, **chosen) as served:
        yield served


def test_who_waits_for_an_answer_that_is_cut_off_is_told_to_ask_again(serving: Serving, model: ScriptedOpenAI):
    people = [serving.person(), serving.person(), serving.person()]
    waiting = [
        connect(serving, who, "Hello.", stream=stream) for who, stream in zip(people, (True, False, False), strict=True)
    ]
    wait_for(lambda: asked_of_model(model, "Hello.") == len(people))
    joined = connect(serving, people[-1], "Hello.", tried="1")
    time.sleep(0.5)
    assert serving.server.process is not None
    serving.server.process.terminate()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(streamed_to_end, [*waiting, joined]))
    assert [status for status, _ in answers] == [503] * 4
    assert all("broken off" in body for _, body in answers)
    serving.server.process.wait(PATIENCE)
    assert "Traceback" not in (serving.server.folder / "server.log").read_text()
    for who in people:
        assert serving.log(who.scope) == [("user", "Hello.")]
