"""An experiment from start to end: commands, turns on a real database, counts, the guard, and an erased person."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from langchain_core.messages import AIMessage

from brain.models.roles import Models
from brain.resources import Resources
from memory.experiments import Experiment, ExperimentTurn, Variant
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope, name_id
from tests.contract.builders import a_session, a_turn, at, said
from tests.fakes import FakeModel, a_settings
from tests.integration import own_database
from tests.integration.brain_process import Brain, as_url
from tests.integration.test_turn import resources_on, says

VARIANTS = (
    Variant(name="control", share=50),
    Variant(name="short", share=50, dimensions={"prompt_variant": "terse"}),
)
test_addresses, database = own_database.test_addresses, own_database.database


def an_experiment(name: str = "shorter") -> Experiment:
    return Experiment(experiment_id=uuid4(), name=name, variants=VARIANTS, guard="negative", started_at=at())


def of_person(tenant: str, user: str) -> Scope:
    return Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, user))


@pytest.fixture
def talks(database: Database) -> Resources:
    replies = [AIMessage("You told me about tea.") for _ in range(40)]
    return resources_on(database, chat=FakeModel(replies=list(replies)))


async def test_a_person_keeps_one_variant_which_the_state_the_receipt_and_the_reply_name(
    talks: Resources, database: Database, scope: Scope
):
    tenant = str(scope.tenant_id)
    ann = of_person(tenant, "ann")
    assert await talks.memory.experiments.start(ann, an_experiment())
    first = await says("I like green tea.", talks, tenant=tenant, user="ann", session="a")
    before = database.round_trips
    again = await says("Which tea do I like?", talks, tenant=tenant, user="ann", session="b")
    assert database.round_trips - before == 3
    joined = first["experiment"]
    assert again["experiment"] == joined
    receipt, *_ = await talks.memory.log.receipts(ann, UUID(again["turn"]["operation_id"]))
    assert receipt.details["experiment"] == joined
    told = {"id": joined["id"], "variant": joined["variant"]}
    assert again["messages"][-1].response_metadata["experiment"] == told
    others = [await says("Hi", talks, tenant=tenant, user=f"person {number}") for number in range(12)]
    variants = {each["experiment"]["variant"] for each in others}
    assert variants == {"control", "short"}
    for each in others:
        shorter = each["experiment"]["dimensions"] == {"prompt_variant": "terse"}
        assert shorter == (each["experiment"]["variant"] == "short")


async def test_the_prompt_is_that_of_the_variant(database: Database, scope: Scope):
    chat = FakeModel(replies=[AIMessage("Hello."), AIMessage("Hello.")])
    resources, tenant = resources_on(database, chat=chat), str(scope.tenant_id)
    await resources.memory.experiments.start(of_person(tenant, "ann"), an_experiment())
    for variant in ("control", "short"):
        out = await says("Hi", resources, tenant=tenant, user="ann", experiment_variant=variant)
        assert out["experiment"]["variant"] == variant
    control, short = (asked[0].text for asked in chat.asked)
    assert control != short
    counts = await resources.memory.experiments.counts(of_person(tenant, "ann"), UUID(out["experiment"]["id"]))
    assert list(counts) == []


async def test_turns_are_counted_by_variant_and_end_with_the_experiment(talks: Resources, scope: Scope):
    tenant, experiment = str(scope.tenant_id), an_experiment()
    ann = of_person(tenant, "ann")
    await talks.memory.experiments.start(ann, experiment)
    for text in ("I like green tea.", "Which tea do I like?", "No, that's wrong."):
        await says(text, talks, tenant=tenant, user="ann", session="a")
    (counted,) = await talks.memory.experiments.counts(ann, experiment.experiment_id)
    assert (counted.turns, counted.judged, counted.negative) == (3, 2, 1)
    assert await talks.memory.experiments.end(ann, experiment.experiment_id, talks.clock())
    out = await says("Hi", talks, tenant=tenant, user="ann", session="a")
    assert out["experiment"] is None
    assert list(await talks.memory.experiments.counts(ann, experiment.experiment_id)) == [counted]


async def test_the_guard_ends_an_experiment_before_the_next_turn(talks: Resources, scope: Scope):
    tenant, experiment = str(scope.tenant_id), an_experiment()
    memory = talks.memory
    ann = of_person(tenant, "ann")
    await memory.experiments.start(ann, experiment)
    for part in range(16):
        person = replace(ann, user_id=UUID(int=uuid4().int >> 4 << 4 | part))
        for variant in ("control", "short"):
            for _ in range(4):
                told = ExperimentTurn(
                    experiment_id=experiment.experiment_id,
                    variant=variant,
                    judged=True,
                    negative=variant == "short",
                    corrected=False,
                    injected=0,
                    utilized=0,
                    routed=False,
                    input_tokens=0,
                    output_tokens=0,
                )
                await memory.log.capture(person, a_turn(said("Hm"), session=a_session(), experiment=told))
    out = await says("Hi", talks, tenant=tenant, user="ann")
    assert out["experiment"] is None
    (ended,) = await memory.experiments.list_newest(ann)
    assert ended.ended_by == "guard"
    assert ended.finding is not None
    assert (ended.finding["variant"], ended.finding["rate"]) == ("short", 1.0)


async def test_one_runs_at_a_time_and_no_tenant_sees_another_s(talks: Resources, scope: Scope):
    ann, bob = of_person(str(scope.tenant_id), "ann"), of_person(str(uuid4()), "bob")
    experiments = talks.memory.experiments
    first = an_experiment()
    assert await experiments.start(ann, first)
    assert not await experiments.start(ann, an_experiment(name="other"))
    assert await experiments.start(bob, an_experiment())
    assert await experiments.end(bob, first.experiment_id, at()) is None
    assert await experiments.end(ann, first.experiment_id, at())
    assert not await experiments.start(ann, an_experiment())
    assert await experiments.start(ann, replace(an_experiment(name="other"), started_at=at(1)))
    assert [each.name for each in await experiments.list_newest(ann)] == ["other", "shorter"]


async def test_replies_of_the_fast_model_are_counted_apart(database: Database, scope: Scope):
    chat, routed = FakeModel(), FakeModel(replies=[AIMessage("Morning!")])
    resources = resources_on(database, chat=chat, fast=routed, settings=a_settings(routing="by_intent"))
    resources = replace(resources, models=Models(chat=chat, fast=routed, routed=routed))
    out = await says("Good morning!", resources, tenant=str(scope.tenant_id), user="ann")
    assert out["messages"][-1].text == "Morning!"
    ann = of_person(str(scope.tenant_id), "ann")
    receipt, *_ = await resources.memory.log.receipts(ann, UUID(out["turn"]["operation_id"]))
    assert receipt.details["route"] == {"role": "routed", "reason": "small_talk"}


def test_commands_start_compare_and_end_and_an_erased_person_leaves_the_counts(
    test_addresses: Addresses, tmp_path: Path
):
    brain = Brain(as_url(test_addresses.owner), tmp_path)
    started = brain.ask("experiments", "start", "shorter", "control=50", "short=50,prompt_variant=terse", "--json")
    assert started.code == 0, started.err
    assert brain.ask("experiments", "start", "other", "control=50", "short=50,prompt_variant=terse").code != 0
    for text in ("I like green tea.", "No, that's wrong."):
        assert brain.ask("chat", "--message", text, "--session", "a").code == 0
    before = brain.ask("experiments", "show", "shorter", "--json").json["results"]
    assert sum(each["turns"] for each in before) == 2
    assert "nothing can be concluded" in brain.ask("experiments", "show", "shorter").out
    assert brain.ask("erase", "--yes").code == 0
    assert brain.ask("experiments", "show", "shorter", "--json").json["results"] == before
    ended = brain.ask("experiments", "end", "shorter", "--json").json
    assert ended["ended_by"] == "operator"
    assert brain.ask("experiments", "end", "shorter", "--json").json["ended_at"] == ended["ended_at"]
    with psycopg.connect(test_addresses.owner) as connection:
        found = connection.execute(
            "select count(*) from brain.experiment_counts where experiment_id = %s", (started.json["id"],)
        ).fetchone()
    assert found is not None
    assert found[0] >= 1
