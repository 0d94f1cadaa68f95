"""The scripted provider keeps to its script, and leaves nothing behind."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import openai
import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, SecretStr

from brain.models.errors import ModelInterrupted, ModelMalformed, ModelRefused, ModelUnavailable
from brain.models.openai import OpenAIModel, connect
from brain.models.port import ToolSpec
from brain.models.retry import Retry
from brain.models.roles import ModelSettings
from tests.openai_script import Step, When, read_script
from tests.openai_wire import Call, vector
from tests.scripted_openai import ScriptedOpenAI

ASKED = [HumanMessage("Hello")]


class Verdict(BaseModel):
    """A form."""

    verdict: str


@asynccontextmanager
async def speaking_to(base_url: str, seconds: float = 60.0) -> AsyncGenerator[OpenAIModel]:
    settings = ModelSettings(base_url=base_url, api_key=SecretStr("sk-test"), timeout_seconds=seconds)
    models = connect(settings, Retry(first_pause=0.01))
    assert isinstance(models.chat, OpenAIModel)
    yield models.chat
    await models.aclose()


async def test_steps_answer_in_their_order_and_requests_are_kept() -> None:
    with ScriptedOpenAI([Step(text="One."), Step(text="二。")]) as server:
        async with speaking_to(server.base_url) as model:
            said = [(await model.stream(ASKED)).text for _ in range(2)]
        assert said == ["One.", "二。"]
        assert [(request.endpoint, request.streamed, request.newest) for request in server.requests] == [
            ("chat", True, "Hello")
        ] * 2
        assert server.unscripted == []


async def test_a_step_is_chosen_by_form_and_by_words() -> None:
    steps = [
        Step(when=When(form=""), text="Words.", times=None),
        Step(when=When(form="Verdict", contains="bad"), form={"verdict": "blocked"}),
        Step(when=When(form="Verdict"), form={"verdict": "pass"}, times=None),
    ]
    with ScriptedOpenAI(steps) as server:
        async with speaking_to(server.base_url) as model:
            assert await model.fill(Verdict, [HumanMessage("bad")]) == Verdict(verdict="blocked")
            assert await model.fill(Verdict, [HumanMessage("bad")]) == Verdict(verdict="pass")
            assert (await model.stream(ASKED)).text == "Words."


async def test_tool_calls_are_streamed_in_pieces() -> None:
    step = Step(tool_calls=(Call(name="memory_search", arguments='{"query": "cats"}'),))
    tool = ToolSpec(name="memory_search", description="Search.", parameters={"type": "object", "properties": {}})
    with ScriptedOpenAI([step]) as server:
        async with speaking_to(server.base_url) as model:
            reply = await model.stream(ASKED, [tool])
        assert server.requests[0].tools == ["memory_search"]
    assert [(call["name"], call["args"]) for call in reply.tool_calls] == [("memory_search", {"query": "cats"})]


async def test_rate_limits_and_failures_pass_and_the_next_step_answers() -> None:
    steps = [Step(status=429, headers={"Retry-After": "0.01"}), Step(status=500), Step(text="At last.")]
    with ScriptedOpenAI(steps) as server:
        async with speaking_to(server.base_url) as model:
            assert (await model.stream(ASKED)).text == "At last."
        assert len(server.requests) == 3


async def test_a_hang_ends_with_the_clients_patience_and_holds_up_nobody() -> None:
    with ScriptedOpenAI([Step(hang=True)]) as server:
        async with speaking_to(server.base_url, seconds=0.1) as model:
            with pytest.raises(ModelUnavailable, match="model_timeout"):
                await model.stream(ASKED)


async def test_a_slow_answer_is_late_and_whole() -> None:
    with ScriptedOpenAI([Step(text="Slowly.", delay=0.05)]) as server:
        async with speaking_to(server.base_url) as model:
            assert (await model.stream(ASKED)).text == "Slowly."


async def test_an_answer_is_held_until_the_test_lets_go() -> None:
    with ScriptedOpenAI([Step(text="First.", held=True), Step(text="Second.")]) as server:
        async with speaking_to(server.base_url) as model:
            first = asyncio.create_task(model.stream(ASKED))
            while not server.requests:  # noqa: ASYNC110 - another thread serves
                await asyncio.sleep(0.01)
            assert (await model.stream(ASKED)).text == "Second."
            assert not first.done()
            server.let_go()
            assert (await first).text == "First."


async def test_a_cut_stream_leaves_the_words_before_the_cut() -> None:
    with ScriptedOpenAI([Step(text="Once upon a time", cut_after=3)]) as server:
        async with speaking_to(server.base_url) as model:
            with pytest.raises(ModelInterrupted) as cut:
                await model.stream(ASKED)
    assert "Once upon a time".startswith(cut.value.partial.text)


async def test_malformed_answers_and_refusals_are_what_they_are() -> None:
    steps = [Step(raw='{"choices": [{'), Step(text="no form"), Step(refusal="I won't.")]
    with ScriptedOpenAI(steps) as server:
        async with speaking_to(server.base_url) as model:
            with pytest.raises(ModelMalformed):
                await model.fill(Verdict, ASKED)
            with pytest.raises(ModelRefused, match="I won't"):
                await model.stream(ASKED)


async def test_a_request_without_a_step_fails_and_is_noted() -> None:
    with ScriptedOpenAI([]) as server:
        async with speaking_to(server.base_url) as model:
            with pytest.raises(ModelUnavailable, match="model_server_error"):
                await model.stream(ASKED)
        assert len(server.unscripted) == 3


@pytest.mark.parametrize("encoding", ["float", "base64"])
async def test_embeddings_come_from_the_text_in_the_encoding_asked_for(encoding: str) -> None:
    with ScriptedOpenAI([]) as server:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as provider:
            found = await provider.embeddings.create(
                model="text-embedding-3-small",
                input=["I like tea", "我喜欢茶"],
                dimensions=32,
                encoding_format="float" if encoding == "float" else "base64",
            )
    assert len(found.data) == 2
    if encoding == "float":
        assert found.data[0].embedding == pytest.approx(vector("I like tea", 32))


async def test_embeddings_fail_when_the_script_says_so() -> None:
    with ScriptedOpenAI([Step(when=When(endpoint="embeddings"), status=503)]) as server:
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as provider:
            with pytest.raises(openai.InternalServerError):
                await provider.embeddings.create(model="m", input="x")


def test_texts_that_share_words_have_near_vectors() -> None:
    tea, more_tea, cars = (vector(text, 256) for text in ("I like green tea", "green tea is what I like", "Fix my car"))

    def nearness(one: list[float], other: list[float]) -> float:
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert nearness(tea, more_tea) > nearness(tea, cars) + 0.2


def test_no_thread_outlives_the_server() -> None:
    before = set(threading.enumerate())
    with ScriptedOpenAI([Step(hang=True)]):
        pass
    assert set(threading.enumerate()) == before


async def test_it_runs_as_a_process_with_a_script_of_its_own(tmp_path: Path) -> None:
    script, port_file, log = tmp_path / "steps.json", tmp_path / "port", tmp_path / "requests.jsonl"
    script.write_text(json.dumps([{"text": "From afar."}]))
    command = [
        sys.executable,
        "-m",
        "tests.scripted_openai",
        "--script",
        script,
        "--port-file",
        port_file,
        "--log",
        log,
    ]
    with subprocess.Popen(command) as process:  # noqa: ASYNC220 - it returns at once
        try:
            async with speaking_to(f"http://127.0.0.1:{port_in(port_file)}/v1") as model:
                assert (await model.stream(ASKED)).text == "From afar."
        finally:
            process.terminate()
    assert process.returncode == 0
    (request,) = map(json.loads, log.read_text().splitlines())
    assert (request["path"], request["body"]["model"]) == ("/v1/chat/completions", "gpt-4.1")


def test_a_script_with_an_unknown_word_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "steps.json"
    script.write_text('[{"txet": "typo"}]')
    with pytest.raises(ValueError, match="txet"):
        read_script(script)


def port_in(file: Path) -> int:
    """The port, once the process has written it."""
    for _ in range(3_000):
        if file.exists():
            return int(file.read_text())
        time.sleep(0.02)
    raise AssertionError("the server did not start within a minute")
