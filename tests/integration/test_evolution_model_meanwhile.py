"""While a model thinks behind the conversation, the conversation goes on: corrections count, and no turn waits."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from langchain_core.messages import HumanMessage

from apps.jobs.worker import BackgroundWorker, run_worker
from apps.views.health import queue_health
from brain.context import Context
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from graphs.brain import graph
from memory.scope import Scope, name_id
from tests.integration.model_stories import PATIENCE, Story, note, noting, settings_for
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

PARIS = note("I live in Paris", "The user lives in Paris.", object="Paris")
LYON = note(
    "I moved to Lyon, not Paris", "The user has a home in Lyon, France.", object="Lyon, France", replaces="Paris"
)


def ann_of(story: Story) -> Story:
    """The same story by the names that a turn comes with."""
    tenant = str(story.scope.tenant_id)
    scope = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    return Story(story.where, story.database, scope)


async def says(text: str, resources: Resources, story: Story) -> dict[str, Any]:
    who = Context(resources=resources, tenant=str(story.scope.tenant_id), user="ann", session="s")
    return await graph.ainvoke({"messages": [HumanMessage(text)]}, context=who)


def facts_of(turn: dict[str, Any]) -> set[UUID]:
    """The memories other than logged turns that stood in the prompt of a turn."""
    return {UUID(each["memory_id"]) for each in turn["memories"] if each["lane"] == "fact"}


@asynccontextmanager
async def working(settings: Settings) -> AsyncGenerator[None]:
    worker = asyncio.create_task(run_worker(settings, signals=False))
    yield
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Until it holds."""
    async with asyncio.timeout(PATIENCE):
        while not await holds():  # noqa: ASYNC110 - a worker does it
            await asyncio.sleep(0.02)


async def lives_in(story: Story, place: str) -> bool:
    return [item.object for item in await story.remembered()] == [place]


async def asked_of(provider: ScriptedOpenAI, form: str) -> bool:
    return form in [request.form for request in provider.requests]


async def has_asked(provider: ScriptedOpenAI, times: int) -> bool:
    return len(provider.requests) >= times


async def nothing_waits(story: Story) -> bool:
    health = await queue_health(story.database)
    return health.waiting + health.running == 0


async def test_the_turn_after_a_correction_knows_it_while_the_model_still_reads_it(story: Story):
    ann, offline = ann_of(story), build_resources(settings_for(story.where.owner, None))
    with ScriptedOpenAI([noting(PARIS), noting(LYON, held=True), Step(status=400, times=None)]) as provider:
        async with working(settings_for(story.where.owner, provider.base_url)):
            await says("I live in Paris.", offline, story)
            await until(lambda: lives_in(ann, "Paris"))
            await says("Actually I moved to Lyon, not Paris.", offline, story)
            await until(lambda: lives_in(ann, "Lyon"))
            await until(lambda: has_asked(provider, 2))
            turn = await says("Which city do I live in?", offline, story)
            corrected = await ann.remembered(ever=True)
            asked = [request.form for request in provider.requests]
            provider.let_go()
            await until(lambda: nothing_waits(story))
    await offline.close()
    assert asked == ["Notes", "Notes"]
    assert facts_of(turn) == {item.memory_id for item in corrected if item.status == "active"}
    assert await ann.remembered(ever=True) == corrected
    assert [(item.object, item.status) for item in corrected] == [("Paris", "superseded"), ("Lyon", "active")]


async def test_a_correction_does_not_wait_for_a_model_that_reads_the_turn_before_it(story: Story):
    ann, offline = ann_of(story), build_resources(settings_for(story.where.owner, None))
    with ScriptedOpenAI([noting(PARIS), noting(held=True), Step(status=400, times=None)]) as provider:
        async with working(settings_for(story.where.owner, provider.base_url)):
            await says("I live in Paris.", offline, story)
            await until(lambda: lives_in(ann, "Paris"))
            await says("I have been thinking about my old school.", offline, story)
            await until(lambda: has_asked(provider, 2))
            await says("Actually I moved to Lyon, not Paris.", offline, story)
            await until(lambda: lives_in(ann, "Lyon"))
            turn = await says("Which city do I live in?", offline, story)
            still_read = not await nothing_waits(story)
            corrected = await ann.remembered(ever=True)
            provider.let_go()
            await until(lambda: nothing_waits(story))
    await offline.close()
    assert still_read
    assert facts_of(turn) == {item.memory_id for item in corrected if item.status == "active"}
    assert await ann.remembered(ever=True) == corrected
    assert [(item.object, item.status) for item in corrected] == [("Paris", "superseded"), ("Lyon", "active")]


async def test_what_a_model_still_reads_when_it_is_taken_back_does_not_come_back(story: Story):
    ann, offline = ann_of(story), build_resources(settings_for(story.where.owner, None))
    flat = note("I live in Paris", "The user has a flat in Paris.", object="Paris, France", predicate="apartment_in")
    with ScriptedOpenAI([noting(flat, held=True), Step(status=400, times=None)]) as provider:
        async with working(settings_for(story.where.owner, provider.base_url)):
            await says("I live in Paris.", offline, story)
            await until(lambda: has_asked(provider, 1))
            await says("Actually I moved to Lyon, not Paris.", offline, story)
            await until(lambda: lives_in(ann, "Lyon"))
            provider.let_go()
            await until(lambda: nothing_waits(story))
    await offline.close()
    assert [(item.object, item.status) for item in await ann.remembered(ever=True)] == [
        ("Paris", "superseded"),
        ("Lyon", "active"),
    ]


async def test_a_correction_does_not_wait_for_a_place_among_others_whose_models_hang(story: Story):
    ann, offline = ann_of(story), build_resources(settings_for(story.where.owner, None))
    others = [Story(story.where, story.database, replace(story.scope, user_id=uuid4())) for _ in range(6)]
    steps = [noting(PARIS), Step(when=When(form="Notes"), held=True, times=None), Step(status=400, times=None)]
    with ScriptedOpenAI(steps) as provider:
        async with working(settings_for(story.where.owner, provider.base_url)):
            await says("I live in Paris.", offline, story)
            await until(lambda: lives_in(ann, "Paris"))
            for other in others:
                await other.says("I have been thinking about my old school.")
            await until(lambda: has_asked(provider, 5))
            await says("Actually I moved to Lyon, not Paris.", offline, story)
            await until(lambda: lives_in(ann, "Lyon"))
            still_read = not await nothing_waits(story)
    await offline.close()
    await story.works(Step(status=400, times=None))
    assert still_read


async def test_no_turn_waits_for_a_model_that_hangs_behind_it(story: Story):
    steps = [
        Step(when=When(form="Notes"), hang=True, times=None),
        Step(when=When(form=""), text="I see.", times=None),
        Step(status=400, times=None),
    ]
    with ScriptedOpenAI(steps) as provider:
        settings = settings_for(story.where.owner, provider.base_url)
        resources, worker = build_resources(settings), BackgroundWorker(settings)
        await says("I live in Lyon.", resources, story)
        worker.start()
        await until(lambda: asked_of(provider, "Notes"))
        for number in range(5):
            await says(f"I live in house number {number}.", resources, story)
        assert not await nothing_waits(story)
    worker.stop()
    await resources.close()
    await story.works(Step(status=400, times=None))
    assert await nothing_waits(story)
