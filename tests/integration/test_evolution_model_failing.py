"""A model that fails in every way a provider can: rules take over, a person can see it, nothing is lost or doubled."""

from pathlib import Path

import pytest

from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.brain_process import Brain, as_url
from tests.integration.model_stories import Story, note, noting
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

NOTES = When(form="Notes")
LYON = note("I live in Lyon", "The user lives in Lyon.")
ENDLESS = note("I live in Lyon", "The user lives in Lyon. " * 900)
SOON = {"retry-after-ms": "20"}


@pytest.mark.parametrize(
    ("failure", "reason", "asked"),
    [
        ([Step(when=NOTES, refusal="I would rather not.")], "analysis_model_refused", 1),
        ([Step(when=NOTES, status=500, headers=SOON, times=3)], "analysis_model_server_error", 3),
        ([Step(when=NOTES, status=401)], "analysis_model_auth_failed", 1),
        ([Step(when=NOTES, hang=True, times=None)], "analysis_model_timeout", 2),
        ([Step(when=NOTES, text='{"memories": [', times=2)], "analysis_model_malformed", 2),
        ([Step(when=NOTES, text='{"memories": [', finish_reason="length", times=2)], "analysis_model_malformed", 2),
        ([Step(when=NOTES, text="", times=2)], "analysis_model_malformed", 2),
        ([Step(when=NOTES, text="Well, " * 4_000, times=2)], "analysis_model_malformed", 2),
        ([Step(when=NOTES, raw="<html>Bad gateway</html>", times=2)], "analysis_model_malformed", 2),
        ([noting(ENDLESS, times=2)], "analysis_unfounded", 2),
    ],
    ids=[
        "refused",
        "500",
        "401",
        "hanging",
        "broken",
        "cut",
        "empty",
        "endless talk",
        "HTML",
        "endless notes",
    ],
)
async def test_when_the_model_fails_the_rules_take_over_and_it_is_said_so(
    story: Story, failure: list[Step], reason: str, asked: int
):
    await story.says("I live in Lyon.", "Thanks!")
    patience = {"fast_timeout": 2.0, "model_timeout": 2.0} if reason.endswith("timeout") else {}
    provider = await story.works(*failure, **patience)
    (item,) = await story.remembered(ever=True)
    assert (item.content, item.version, await story.quotes(item)) == ("I live in Lyon.", 1, ["I live in Lyon."])
    assert [(each.status, each.reason) for each in await story.ended()] == [
        ("stored", f"degraded: {reason}"),
        ("nothing", f"nothing in it asks to be remembered; degraded: {reason}"),
    ]
    assert len(provider.requests) == asked


async def test_what_no_database_can_hold_costs_no_turn(story: Story):
    await story.says("I live in Lyon.")
    odd = {name: f"{LYON[name]}\x00" for name in ("content", "object", "subject", "predicate", "quote")}
    await story.works(noting({**LYON, **odd, "category": "\x00Home & <hearth>" * 900}))
    (item,) = await story.remembered()
    assert (item.content, item.object, item.slot) == ("The user lives in Lyon.", "Lyon", "user|lives_in")
    assert item.category == "home"


@pytest.mark.parametrize(
    "hitch",
    [
        Step(when=NOTES, status=429, headers=SOON),
        Step(when=NOTES, form={"memories": [LYON]}, cut_after=80),
        Step(when=NOTES, form={"memories": [{"turn": 1}]}),
    ],
    ids=["429", "cut connection", "half a form"],
)
async def test_a_passing_failure_leaves_no_trace(story: Story, hitch: Step):
    await story.says("I live in Lyon.")
    provider = await story.works(hitch, noting(LYON))
    (item,) = await story.remembered(ever=True)
    assert (await story.memory.items.history(story.scope, item.memory_id))[0].operator == "model"
    assert [(each.status, each.reason) for each in await story.ended()] == [("stored", None)]
    assert len(provider.requests) == 2


def test_a_person_can_ask_what_a_turn_had_to_do_without(quiet_database: tuple[Addresses, Database], tmp_path: Path):
    with ScriptedOpenAI([Step(status=401, times=None)]) as provider:
        model = {"BRAIN_BASE_URL": provider.base_url, "BRAIN_OPENAI_API_KEY": "sk-test", "BRAIN_EMBEDDINGS": "none"}
        brain = Brain(as_url(quiet_database[0].owner), tmp_path, settings=model)
        told = brain.ask("chat", "--json", "--message", "I live in Lyon.").lines[0]
        brain.ask("worker", "--until-idle")
    shown = brain.ask("operations", "show", told["operation_id"]).out
    assert "stored" in shown
    assert "degraded: analysis_model_auth_failed" in shown
