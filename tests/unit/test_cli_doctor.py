"""The doctor's judgements, without a database or a network."""

import re
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from pydantic import AliasChoices

from apps.doctor.database import database_findings, queue_finding
from apps.doctor.examine import access_finding, embedding_finding, is_usable, rehearsal_finding, telemetry_finding
from apps.doctor.findings import broken_finding, degraded_finding, ok_finding
from apps.doctor.model import model_finding
from brain.settings import Settings
from memory.service_alerts import QueueHealth
from tests.fakes import a_settings
from tests.scripted_openai import ScriptedOpenAI

QUIET = QueueHealth(waiting=0, running=0, dead_letters=0, oldest_seconds=0.0, workers=1)


def no_entry_points(**_: str) -> list[EntryPoint]:
    return []


async def test_conversations_that_are_not_installed_are_nothing_to_examine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("apps.additions.entry_points", no_entry_points)
    told = "The measurements of Brain are not part of the installed package."
    assert await rehearsal_finding(a_settings()) == ok_finding("rehearsal", told)


def test_a_queue_that_keeps_up_is_fine():
    assert queue_finding(replace(QUIET, waiting=3, oldest_seconds=2.0)).state == "ok"


def test_a_job_that_nobody_works_on_is_told_with_its_age():
    finding = queue_finding(replace(QUIET, waiting=3, oldest_seconds=125.0, workers=0))
    assert finding.state == "degraded"
    assert "125 s" in finding.what
    assert finding.advice == "Start 'brain worker'."


def test_dead_letters_are_told():
    finding = queue_finding(replace(QUIET, dead_letters=2))
    assert finding.state == "degraded"
    assert "2 dead letters" in finding.what


def test_only_what_is_broken_makes_brain_unusable():
    assert is_usable([ok_finding("a", "fine"), degraded_finding("b", "slow", "wait")])
    assert not is_usable([ok_finding("a", "fine"), broken_finding("b", "gone", "start it")])


@pytest.mark.parametrize("switch", ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"])
def test_tracing_that_somebody_switched_on_is_told(switch: str):
    assert telemetry_finding({switch: "true"}).state == "degraded"
    assert telemetry_finding({switch: "false"}).what == "none"


def test_open_access_is_said_to_be_open():
    assert "open" in access_finding(a_settings()).what
    assert "signed token" in access_finding(a_settings(auth_jwt_secret="x" * 32)).what


async def test_without_a_model_brain_is_whole():
    finding = await model_finding(a_settings(openai_api_key=None, base_url=None))
    assert finding.state == "ok"
    assert "memory alone" in finding.what


async def test_a_model_that_cannot_be_reached_is_told_with_advice():
    finding = await model_finding(a_settings(base_url="http://127.0.0.1:9/v1", openai_api_key="sk-secret"))
    assert finding.state == "degraded"
    assert "cannot be reached" in finding.what
    assert "sk-secret" not in str(finding)


@pytest.mark.parametrize(
    ("chat", "fast", "state"),
    [("gpt-4.1", "gpt-4.1-mini", "ok"), ("llama3.1", "llama3.1", "ok"), ("gpt-5", "gpt-4.1-mini", "degraded")],
)
async def test_a_model_that_its_address_does_not_offer_is_told_with_those_it_does(chat: str, fast: str, state: str):
    with ScriptedOpenAI([]) as server:
        finding = await model_finding(a_settings(base_url=server.base_url, chat_model=chat, fast_model=fast))
    assert finding.state == state
    if state == "degraded":
        assert "does not offer gpt-5, but gpt-4.1, gpt-4.1-mini, llama3.1:latest" in finding.what
        assert "BRAIN_CHAT_MODEL" in finding.advice


@pytest.mark.parametrize("path", ["", "/v1/chat/completions"])
async def test_an_address_with_the_wrong_path_is_told_with_the_right_one(path: str):
    with ScriptedOpenAI([]) as server:
        finding = await model_finding(a_settings(base_url=server.base_url.removesuffix("/v1") + path))
        assert finding.advice == f"Set BRAIN_BASE_URL={server.base_url}."
    assert finding.state == "degraded"


async def test_a_server_without_any_list_of_models_is_believed():
    with ScriptedOpenAI([]) as server:
        finding = await model_finding(a_settings(base_url=f"{server.base_url}/elsewhere/v1"))
    assert (finding.state, "unchecked" in finding.what) == ("ok", True)


async def test_without_embeddings_recall_works_on_words():
    finding = await embedding_finding(a_settings(embeddings="none"))
    assert (finding.state, "words alone" in finding.what) == ("ok", True)


async def test_a_database_that_is_away_makes_brain_unusable_and_keeps_its_password():
    findings = await database_findings(a_settings(database_url="postgresql://u:hush@127.0.0.1:9/x"))
    assert not is_usable(findings)
    assert findings[0].advice == "Start the server, or correct BRAIN_DATABASE_URL."
    assert "hush" not in str(findings)


def test_the_example_file_names_every_setting_with_a_comment():
    lines = Path(__file__).parents[2].joinpath(".env.example").read_text("utf-8").splitlines()
    named = {match[1]: at for at, line in enumerate(lines) if (match := re.match(r"# (BRAIN_[A-Z_]+)=", line))}
    assert set(named) == {_variable(name) for name in Settings.model_fields}
    assert all(re.match(r"# [A-Z]", lines[at - 1]) and "=" not in lines[at - 1].split()[1] for at in named.values())


def _variable(name: str) -> str:
    alias = Settings.model_fields[name].validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"BRAIN_{name.upper()}"
