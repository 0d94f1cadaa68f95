"""Tokens from the provider's answer to the account of the tenant: real graph, real PostgreSQL, real wire."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from evolution.extraction.form import Notes
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of
from tests.fakes import a_settings
from tests.integration.brain_process import Brain, as_url
from tests.integration.test_turn import resources_on, says
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI
from tests.unit.analysis_builders import a_note
from tests.unit.test_metered import Priced

CALL = {"calls": 1, "estimated_calls": 0, "input_tokens": 7, "output_tokens": 5}
SCRIPT = [
    Step(when=When(form=""), text="Noted.", times=None),
    Step(when=When(form="Notes"), form=Notes(memories=[a_note()]).model_dump(), times=None),
    Step(status=400, times=None),
]


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Generator[Brain]:
    """Brain with a provider that bills twelve tokens for whatever it answers."""
    with ScriptedOpenAI(SCRIPT) as server:
        settings = {"BRAIN_OPENAI_API_KEY": "sk-test", "BRAIN_BASE_URL": server.base_url, "BRAIN_EMBEDDINGS": "none"}
        yield replace(Brain(as_url(test_addresses.owner), tmp_path), settings=settings)


def limited(brain: Brain, tokens: int) -> Brain:
    return replace(brain, settings={**brain.settings, "BRAIN_DAILY_TOKENS": str(tokens)})


def billed(brain: Brain) -> dict[tuple[str, str], dict[str, Any]]:
    """Today's entries by purpose and role."""
    days = brain.ask("usage", "--json").json["days"]
    return {(each["purpose"], each["role"]): {name: each[name] for name in CALL} for each in days}


async def test_a_turn_with_models_and_a_limit_takes_three_round_trips(database: Database, scope: Scope):
    models: Any = {"chat": Priced(role="chat"), "fast": Priced()}
    models["chat"].replies = [AIMessage("Noted.")]
    resources = resources_on(database, settings=a_settings(daily_tokens=33), **models)
    who = {"tenant": str(scope.tenant_id), "user": "ann"}
    tenant_id = scope_of(Speaker(**who)).tenant_id
    await resources.experiences.refresh(resources.memory.experiences, tenant_id, resources.clock())
    for told in ([], ["token_budget_spent"]):
        before = database.round_trips
        out = await says("What do I like?", resources, **who)
        assert database.round_trips - before == 3
        assert out["degraded"] == told
    assert models["chat"].replies == []


def test_turns_and_the_work_behind_them_are_billed_apart(brain: Brain):
    brain.says("I live in Lyon")
    assert brain.ask("worker", "--until-idle").code == 0
    assert billed(brain) == {("turn", "chat"): CALL, ("evolution", "fast"): CALL}
    shown = brain.ask("usage")
    assert "24 tokens today, no limit" in shown.out


def test_once_the_day_is_spent_the_reply_says_so_and_the_doctor_tells_why(brain: Brain):
    (first,) = limited(brain, 12).says("I live in Lyon")
    (second,) = limited(brain, 12).says("Where do I live?", session="later")
    assert (first["reply"], first["degraded_reasons"].count("token_budget_spent")) == ("Noted.", 0)
    assert "token_budget_spent" in second["degraded_reasons"]
    assert "Lyon" in second["reply"]
    assert "tokens for the language model are used up" in second["reply"]
    report = limited(brain, 12).ask("doctor", "--tenant", brain.tenant, "--json").json
    (tokens,) = [each for each in report["findings"] if each["name"] == "tokens"]
    assert tokens["state"] == "degraded"
    assert "BRAIN_DAILY_TOKENS" in tokens["advice"]
    assert report["usable"]


@pytest.mark.exhaustive  # a minute and a half of questions, which have tests of their own
def test_only_a_deep_look_puts_questions_to_the_model(brain: Brain):
    deep = ["model", "aptitude", "rehearsal", "tokens"]
    for arguments, told in ((("--deep",), deep), ((), ["model", "tokens"])):
        findings = brain.ask("doctor", *arguments, "--json").json["findings"]
        names = [each["name"] for each in findings]
        assert [name for name in names if name in deep] == told
    assert billed(brain) == {}
