"""The command line with a model behind it: every way in which a provider answers, or does not."""

import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.postgres.roles import Addresses
from tests.integration.brain_process import PATIENCE, Brain, as_url, type_line
from tests.openai_script import Step, When
from tests.openai_wire import Call
from tests.scripted_openai import ScriptedOpenAI

SPEAKING = When(model="gpt-4.1")
UNDERSTANDING = Step(when=When(model="gpt-4.1-mini"), times=None, status=400)
"""The fast model declines every form, so that rules take over and the script stays about the reply."""


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


@contextmanager
def a_model(brain: Brain, steps: Sequence[Step]) -> Generator[tuple[Brain, ScriptedOpenAI]]:
    """Brain configured for a provider that follows the script."""
    with ScriptedOpenAI([*steps, UNDERSTANDING]) as server:
        settings = {
            "BRAIN_OPENAI_API_KEY": "sk-test",
            "BRAIN_BASE_URL": server.base_url,
            "BRAIN_EMBEDDINGS": "none",
            "BRAIN_MODEL_TIMEOUT": str(4 if any(step.hang for step in steps) else PATIENCE),
            "BRAIN_FAST_TIMEOUT": str(PATIENCE),
            "BRAIN_FAST_PATIENCE": str(60.0),
        }
        yield replace(brain, settings=settings), server


def answered(brain: Brain, *steps: Step, text: str = "Who is my dentist?") -> dict[str, Any]:
    """One turn against the script."""
    with a_model(brain, steps) as (configured, _):
        (turn,) = configured.says(text)
    return turn


def test_a_reply_streams_to_the_terminal_and_a_script_gets_it_whole(brain: Brain):
    says = Step(when=SPEAKING, text="Your dentist is Doctor Okafor.", times=2)
    with a_model(brain, [says]) as (configured, server):
        shown = configured.run("chat", "--user", "ann", "--message", "Who is my dentist?")
        (turn,) = configured.says("Who is my dentist?")
    assert shown.out == "Your dentist is Doctor Okafor.\n"
    assert turn["reply"] == "Your dentist is Doctor Okafor."
    assert [request.streamed for request in server.requests if request.model == "gpt-4.1"] == [True, True]


def test_a_form_that_the_model_fills_in_becomes_the_intent(brain: Brain):
    intent = {"intent_type": "complaint"}
    steps = (Step(when=SPEAKING, text="Hm."), Step(when=When(form="IntentForm"), form=intent))
    turn = answered(brain, *steps, text="Tell me about the parcel.")
    assert turn["intent"]["intent_type"] == "complaint"
    assert "intent_model_failed" not in turn["degraded_reasons"]


def test_a_tool_that_the_model_calls_is_run_and_its_result_comes_back(brain: Brain):
    brain.says("My dentist is Doctor Okafor.", session="monday")
    call = Call(name="memory_search", arguments='{"query": "dentist"}')
    steps = [Step(when=SPEAKING, tool_calls=(call,)), Step(when=SPEAKING, text="It is Doctor Okafor.")]
    with a_model(brain, steps) as (configured, server):
        (turn,) = configured.says("Please search your memory for my dentist.")
    last = [request for request in server.requests if request.model == "gpt-4.1"][-1]
    assert turn["reply"] == "It is Doctor Okafor."
    assert "dispatch_tools" in turn["node_ms"]
    assert [message["role"] for message in last.messages][-1] == "tool"
    assert "Okafor" in str(last.messages[-1]["content"])


def test_a_provider_that_is_busy_for_a_moment_is_asked_again(brain: Brain):
    busy = Step(when=SPEAKING, status=429, headers={"Retry-After": "0"})
    turn = answered(brain, busy, Step(when=SPEAKING, text="Doctor Okafor."))
    assert turn["reply"] == "Doctor Okafor."


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step(when=SPEAKING, times=None, status=500), "model_server_error"),
        (Step(when=SPEAKING, times=None, hang=True), "model_timeout"),
        (Step(when=SPEAKING, times=None, status=401), "model_auth_failed"),
    ],
)
def test_a_provider_that_fails_is_replaced_by_memory_with_the_reason(brain: Brain, step: Step, reason: str):
    brain.says("My dentist is Doctor Okafor.", session="monday")
    turn = answered(brain, step)
    assert "Okafor" in turn["reply"]
    assert reason in turn["degraded_reasons"]


def test_an_answer_that_cannot_be_read_is_replaced_by_memory(brain: Brain):
    brain.says("My dentist is Doctor Okafor.", session="monday")
    turn = answered(brain, Step(when=SPEAKING, times=None, raw="<html>not json</html>"))
    assert "Okafor" in turn["reply"]
    assert any(reason.startswith("model_") for reason in turn["degraded_reasons"])


def test_a_reply_that_breaks_off_is_kept_as_far_as_it_was_heard_and_shown_once(brain: Brain):
    cut = Step(when=SPEAKING, text="Your dentist is Doctor Okafor.", cut_after=4, times=None)
    with a_model(brain, [cut]) as (configured, _):
        shown = configured.ask("chat", "--user", "ann", "--message", "Who is my dentist?")
        (turn,) = configured.says("Who is my dentist?")
    heard, _, notice = turn["reply"].partition("\n\n")
    assert heard.strip()
    assert "Your dentist is Doctor Okafor.".startswith(heard)
    assert notice.startswith("(The reply broke off here")
    assert shown.out == turn["reply"] + "\n"
    assert "model_interrupted" in turn["degraded_reasons"]


def test_ctrl_c_while_the_model_is_silent_still_writes_what_was_said(brain: Brain):
    with (
        a_model(brain, [Step(when=SPEAKING, times=None, hang=True)]) as (configured, server),
        configured.running("chat", "--user", "ann") as chat,
    ):
        type_line(chat, "My dentist is Doctor Okafor.")
        while chat.poll() is None and not any(request.model == "gpt-4.1" for request in server.requests):
            time.sleep(0.05)
        chat.send_signal(signal.SIGINT)
        _, err = chat.communicate(timeout=PATIENCE)
    assert chat.returncode == 0
    assert b"Traceback" not in err
    assert "Okafor" in brain.ask("recall", "dentist", "--user", "ann").out


def _wait_until_shown(chat: subprocess.Popen[bytes], words: bytes) -> None:
    assert chat.stdout is not None
    shown = b""
    while words not in shown:
        piece = chat.stdout.read(1)
        assert piece, shown
        shown += piece


def test_ctrl_c_in_the_middle_of_a_reply_keeps_what_was_shown(brain: Brain):
    stalling = Step(when=SPEAKING, text="Doctor Okafor is your dentist.", stall_after=4, times=None)
    with a_model(brain, [stalling]) as (configured, _), configured.running("chat", "--user", "ann") as chat:
        type_line(chat, "My dentist is Doctor Okafor.")
        _wait_until_shown(chat, b"Doctor Okafor i")
        chat.send_signal(signal.SIGINT)
        _, err = chat.communicate(timeout=PATIENCE)
    assert chat.returncode == 0
    assert b"Traceback" not in err
    found = brain.ask("recall", "dentist Okafor", "--user", "ann", "--json").out
    assert "My dentist is Doctor Okafor." in found
    assert '"Doctor Okafor i"' in found


def test_what_was_said_to_a_chat_that_is_killed_becomes_memory(brain: Brain):
    stalling = Step(when=SPEAKING, text="Green is a fine colour.", stall_after=3, times=None)
    with a_model(brain, [stalling]) as (configured, _), configured.running("chat", "--user", "ann") as chat:
        type_line(chat, "My favourite colour is green.")
        _wait_until_shown(chat, b"Green")
        chat.kill()
        chat.wait()
    assert "My favourite colour is green." in brain.ask("recall", "colour", "--user", "ann", "--json").out
    assert brain.ask("memories", "list", "--user", "ann", "--json").json == []
    patient = replace(brain, settings={**brain.settings, "BRAIN_TURN_PATIENCE": "0"})
    assert patient.ask("worker", "--until-idle").code == 0
    (item,) = brain.ask("memories", "list", "--user", "ann", "--json").json
    assert "green" in item["text"]


def test_a_refusal_is_shown_as_it_is(brain: Brain):
    turn = answered(brain, Step(when=SPEAKING, refusal="I will not do that."))
    assert turn["reply"] == "I will not do that."
    assert "model_refused" in turn["degraded_reasons"]


def test_recall_says_in_words_what_it_had_to_do_without(brain: Brain):
    nobody = {"BRAIN_OPENAI_API_KEY": "sk-test", "BRAIN_BASE_URL": "http://127.0.0.1:9/v1"}
    asking = replace(brain, settings=nobody | {"BRAIN_EMBEDDINGS": "openai:text-embedding-3-small"})
    told = asking.ask("recall", "dentist", "--user", "ann").out
    assert "embedder_unavailable: The embedding model did not answer, so words alone were searched" in told
