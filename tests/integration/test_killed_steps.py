"""Work behind the conversation that ends at any of its steps: whoever begins it again leaves what is to be left."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.job_context import JobContext
from evals.dying_worker import MODULES
from evals.memory_ci.spelled_words import find_tables
from evolution.erasure import job
from evolution.erasure.job import run_erasure
from evolution.upkeep.state import UpkeepState
from graphs import evolution, upkeep
from graphs.upkeep import run_upkeep
from memory.erasure import Tombstone
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, by_ann, said
from tests.fakes import a_settings
from tests.integration import own_database
from tests.integration.evolving import resources_on
from tests.integration.test_erasure import ask_to_be_erased, canary, talk
from tests.integration.threads import Thread, open_thread

test_addresses, database = own_database.test_addresses, own_database.database
UPKEEP = [name for name in upkeep.graph.nodes if name != "__start__"]
ERASURE = [step.__name__.strip("_") for step in job._STEPS]  # pyright: ignore[reportPrivateUsage]


class Killed(BaseException):
    """Ends a process at once: no error that anybody handles."""


@pytest.fixture
async def ann(test_addresses: Addresses, database: Database, tmp_path: Path) -> AsyncGenerator[Thread]:
    async with open_thread(test_addresses, database) as thread:
        settings = a_settings(data_dir=tmp_path)
        yield replace(thread, resources=replace(thread.resources, settings=settings))


def test_workers_are_killed_at_every_step_of_evolution():
    """By ``test_evolution_killed``: a new step is one to be killed at."""
    assert set(MODULES) == set(evolution.graph.nodes) - {"__start__"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("step", ERASURE)
async def test_an_erasure_that_is_killed_at_a_step_is_completed_by_the_next_worker(
    step: str, ann: Thread, test_addresses: Addresses, monkeypatch: pytest.MonkeyPatch
):
    await erase_twice(ann, test_addresses, step, monkeypatch)


async def test_an_erasure_that_is_killed_before_its_last_step_is_completed(
    ann: Thread, test_addresses: Addresses, monkeypatch: pytest.MonkeyPatch
):
    await erase_twice(ann, test_addresses, ERASURE[-1], monkeypatch)


async def erase_twice(ann: Thread, where: Addresses, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies at this step, then one that does not."""
    await talk(ann)
    asked = await ask_to_be_erased(ann)
    with monkeypatch.context() as patch:
        patch.setattr(job, "_STEPS", [killing(each) if named(each) == step else each for each in job._STEPS])  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(Killed):
            await run_erasure(ann.resources, asked.tenant_id, asked.tombstone_id)
    await run_erasure(ann.resources, asked.tenant_id, asked.tombstone_id)
    done = await ann.resources.memory.erasures.find(asked.tenant_id, asked.tombstone_id)
    assert done is not None
    assert done.state == "completed"
    # The job that asked for it still waits for its worker, under the person's id.
    assert find_tables(where.owner, canary(ann), ann.user) == []


def named(step: Any) -> str:
    return step.__name__.strip("_")


def killing(step: Any) -> Any:
    """The step, done as far as it goes, and nobody left to note it."""

    async def die(resources: Any, tombstone: Tombstone) -> None:
        await step(resources, tombstone)
        raise Killed

    die.__name__ = step.__name__
    return die


async def filled(database: Database, scope: Scope) -> JobContext:
    """A person with something to tidy: three memories of one matter, of which the oldest lie far back."""
    resources = resources_on(database)
    for number in range(6):
        turn = said(f"I like oolong tea very much, number {number}.", minutes=-number * 60 * 24 * 60)
        await resources.memory.log.capture(scope, a_turn(turn))
        draft = a_draft(f"oolong {number}", content=turn.text, slot="user|likes", observed_at=turn.occurred_at)
        await resources.memory.items.write(scope, draft, by_ann(f"k{number}"))
    return JobContext(scope=scope, resources=resources)


async def tidied(context: JobContext) -> list[Any]:
    found = await context.resources.memory.items.list_newest(context.scope, include_inactive=True)
    return sorted((each.content, each.status, each.version, round(each.confidence, 6)) for each in found)


@pytest.mark.parametrize("step", UPKEEP)
async def test_an_upkeep_that_ends_after_a_step_is_finished_by_the_next(step: str, database: Database, make_scope: Any):
    undisturbed = await filled(database, make_scope())
    await run_upkeep(undisturbed, UpkeepState())
    killed = await filled(database, replace(make_scope(), tenant_id=make_scope().user_id))
    await upkeep.graph.ainvoke(UpkeepState(), context=killed, interrupt_after=[step])  # pyright: ignore
    await run_upkeep(killed, UpkeepState())
    assert await tidied(killed) == await tidied(undisturbed)
