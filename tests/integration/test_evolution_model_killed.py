"""A worker killed while a model is being asked: the next one asks no question that has been answered."""

import asyncio
from collections.abc import Sequence
from time import monotonic

import psycopg

from memory.postgres.roles import Addresses
from tests.contract.builders import said
from tests.integration.forked_process import FORKS
from tests.integration.model_stories import PATIENCE, Story, note, noting, rewording, work_alone
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

LYON = note("I live in Lyon", "The user lives in Lyon.")
CHOSEN = note("We chose the one by the river", "The user chose it.", predicate="chose", object="it")
CLEAR = rewording(("The user chose the house by the river.", "the house by the river"))


async def killed_while_asked(story: Story, form: str, *before: Step) -> None:
    """A worker dies of SIGKILL while its model thinks about this form, after it answered others."""
    with ScriptedOpenAI([*before, Step(when=When(form=form), hang=True, times=None)]) as provider:
        worker = FORKS.Process(target=work_alone, args=(story.where.owner, provider.base_url))
        worker.start()
        try:
            await until_asked(provider, form)
            await until_kept(story.where, 1 + len(before))
        finally:
            worker.kill()
            await asyncio.to_thread(worker.join)
    leave_for_dead(story.where)


async def until_asked(provider: ScriptedOpenAI, form: str) -> None:
    give_up = monotonic() + PATIENCE
    while form not in [request.form for request in provider.requests]:
        assert monotonic() < give_up
        await asyncio.sleep(0.02)


async def until_kept(where: Addresses, step: int) -> None:
    """Steps are kept while the next one is already running."""
    give_up = monotonic() + PATIENCE
    while max(steps_kept(where), default=-2) < step:
        assert monotonic() < give_up
        await asyncio.sleep(0.02)


def steps_kept(where: Addresses) -> Sequence[int]:
    """The steps of background graphs that lie in the database."""
    query = "select (metadata ->> 'step')::int from checkpoint.checkpoints where thread_id like 'evolution:%'"
    with psycopg.connect(where.owner) as connection:
        return [int(row[0]) for row in connection.execute(query)]


def leave_for_dead(where: Addresses) -> None:
    """Let the time pass after which a silent worker counts as dead."""
    with psycopg.connect(where.owner) as connection:
        connection.execute("update queue.procrastinate_workers set last_heartbeat = last_heartbeat - interval '1 hour'")


async def test_who_was_killed_while_a_model_read_the_turns_loses_nothing(story: Story):
    await story.says("I live in Lyon.")
    await killed_while_asked(story, "Notes")
    assert await story.contents() == []
    provider = await story.works(noting(LYON))
    (item,) = await story.remembered(ever=True)
    (done,) = await story.ended()
    assert (item.content, item.version) == ("The user lives in Lyon.", 1)
    assert (done.status, done.reason, done.memory_ids) == ("stored", None, (item.memory_id,))
    assert [request.form for request in provider.requests] == ["Notes"]
    assert steps_kept(story.where) == []


async def test_what_a_model_noted_before_the_death_is_not_asked_for_again(story: Story):
    await story.says("We chose the one by the river.")
    await killed_while_asked(story, "Rewordings", noting(CHOSEN))
    provider = await story.works(CLEAR)
    (item,) = await story.remembered(ever=True)
    (done,) = await story.ended()
    assert (item.content, item.version) == ("The user chose the house by the river.", 1)
    assert (done.status, done.reason, done.memory_ids) == ("stored", None, (item.memory_id,))
    assert [request.form for request in provider.requests] == ["Rewordings"]
    assert steps_kept(story.where) == []


async def test_a_correction_that_was_written_before_the_death_is_neither_lost_nor_doubled(story: Story):
    await story.says("I live in Paris.")
    await story.works(noting(note("I live in Paris", "The user lives in Paris.", object="Paris")))
    await story.captured(said("Actually I moved to Lyon, not Paris.", minutes=5), urgent=True)
    await killed_while_asked(story, "Notes")
    assert [item.object for item in await story.remembered()] == ["Lyon"]
    before = await story.remembered(ever=True)
    moved = note("I moved to Lyon, not Paris", "The user lives in Lyon.", replaces="Paris")
    await story.works(noting(moved))
    assert await story.remembered(ever=True) == before
    assert [each.status for each in await story.ended()] == ["stored", "stored"]
