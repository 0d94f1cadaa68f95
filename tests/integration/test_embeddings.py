"""Vectors on a real PostgreSQL: made by the worker, healed after a failure, replaced while people go on reading."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apps.jobs.tasks import job_app
from brain.embeddings.backfill import embed_pending
from brain.embeddings.model_switch import prepare_vectors, switch_model
from brain.recall import RecallRequest, SearchResult, search
from brain.resources import Resources, utc_now
from memory.embedding import Vector
from memory.errors import BrainError, unavailable
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, at, said
from tests.fakes import Leanings, a_settings, resources_of
from tests.integration.brain_process import PATIENCE, Brain, as_url
from tests.openai_script import Step, When
from tests.openai_wire import vector
from tests.scripted_openai import ScriptedOpenAI


@dataclass
class Letters:
    """Vectors of the text's letters; down or slow when the test says so."""

    name: str = "test:letters"
    dimensions: int = 32
    down: bool = False
    delay: float = 0.0
    asked: int = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += 1
        await asyncio.sleep(self.delay)
        if self.down:
            raise unavailable("The embedding model is down.")
        return [tuple(vector(text, self.dimensions)) for text in texts]


@dataclass
class HeldUp(Letters):
    """Says when it was asked, and answers when it may."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.begun.set()
        await self.may_end.wait()
        return await super().embed(texts)


def leaning(database: Database, embedder: Letters, **settings: object) -> Resources:
    leanings = Leanings(memory=postgres_memory(database), embedder=embedder, settings=a_settings(**settings))
    return replace(resources_of(leanings), new_id=uuid4, clock=utc_now)


async def tells(resources: Resources, scope: Scope, *texts: str) -> None:
    session = a_session()
    for minute, text in enumerate(texts):
        await resources.memory.log.capture(scope, a_turn(said(text, minutes=minute), session=session))


async def asks(resources: Resources, scope: Scope, text: str) -> SearchResult:
    return await search(resources, scope, RecallRequest(text=text, at=at(60)))


async def held(resources: Resources, scope: Scope) -> dict[str, int]:
    counts = await resources.memory.index.vector_counts(scope)
    return {f"{each.model}{' staged' * each.staged}": each.rows for each in counts}


@asynccontextmanager
async def a_worker(url: str, resources: Resources) -> AsyncGenerator[None]:
    """A worker beside the test."""
    app = job_app(url, resources)
    async with app.open_async():
        work = asyncio.create_task(
            app.run_worker_async(
                queues=["evolution"],
                concurrency=4,
                fetch_job_polling_interval=0.2,
                install_signal_handlers=False,
                delete_jobs="successful",
            )
        )
        try:
            yield
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)


async def test_an_embedder_that_is_down_while_people_talk_heals_by_itself(fresh_database: Addresses, scope: Scope):
    embedder = Letters(down=True)
    async with Database(fresh_database.app) as database:
        resources = leaning(database, embedder)
        async with a_worker(fresh_database.app, resources):
            for text in ("We got a puppy called Pip.", "My dentist is Doctor Okafor.", "I love green tea."):
                await tells(resources, scope, text)
                await asyncio.sleep(0.6)
            while_down = await asks(resources, scope, "Who is my dentist?")
            assert (await held(resources, scope)).keys() == {"none"}
            embedder.down = False
            await all_embedded(resources, scope)
        healed = await asks(resources, scope, "Who is my dentist?")
    assert while_down.degraded == ("embedder_unavailable",)
    assert while_down.candidates.candidates[0].text == "My dentist is Doctor Okafor."
    assert healed.degraded == ()
    assert None not in {each.cosine for each in healed.candidates.candidates}


async def all_embedded(resources: Resources, scope: Scope) -> None:
    """Until nothing waits; a job that failed is tried again after 1, 2, 4 and 8 seconds."""
    async with asyncio.timeout(2 * PATIENCE):
        while (await held(resources, scope)).keys() != {"test:letters"}:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def test_a_slow_embedder_costs_its_deadline_and_no_more(database: Database, scope: Scope):
    resources = leaning(database, Letters(delay=600), embedding_timeout=0.2)
    await tells(resources, scope, "My dentist is Doctor Okafor.")
    async with asyncio.timeout(PATIENCE):
        found = await asks(resources, scope, "dentist")
    assert (found.degraded, len(found.candidates.candidates)) == (("embedder_unavailable",), 1)


async def test_a_model_that_changed_its_length_leaves_the_words_and_is_refused_when_writing(
    database: Database, scope: Scope
):
    resources = leaning(database, Letters())
    await tells(resources, scope, "My dentist is Doctor Okafor.")
    await embed_pending(resources, scope)
    changed = leaning(database, Letters(dimensions=48))
    found = await asks(changed, scope, "dentist")
    assert (found.degraded, len(found.candidates.candidates)) == (("pgvector_unavailable",), 1)
    await tells(changed, scope, "It rains.")
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        await embed_pending(changed, scope)


async def test_two_workers_filling_the_same_rows_do_not_disturb_each_other(database: Database, scope: Scope):
    resources = leaning(database, Letters(delay=0.05))
    await tells(resources, scope, *(f"Turn number {number}" for number in range(20)))
    await asyncio.gather(*(embed_pending(resources, scope) for _ in range(4)))
    assert await held(resources, scope) == {"test:letters": 20}


async def test_reads_go_on_with_the_old_model_until_a_person_is_switched_and_never_see_half(
    database: Database, scope: Scope
):
    old, new = leaning(database, Letters("test:old")), leaning(database, Letters("test:new", 48))
    texts = [f"Turn number {number} about tea" for number in range(40)]
    await tells(old, scope, *texts)
    await embed_pending(old, scope)
    seen, reading = list[tuple[int, int]](), True

    async def read() -> None:
        while reading:
            by_old, by_new = await asks(old, scope, "tea"), await asks(new, scope, "tea")
            seen.append((served(by_old, texts), served(by_new, texts)))

    async def talk() -> None:
        for number in range(10):
            await tells(old, scope, f"Said meanwhile, {number}")
            await embed_pending(old, scope)

    reader = asyncio.create_task(read())
    await asyncio.gather(prepare_vectors(new, scope), talk())
    await switch_model(new, scope)
    switched_at = len(seen)
    while len(seen) < switched_at + 2:  # noqa: ASYNC110 - one of these began after the switch
        await asyncio.sleep(0.01)
    reading = False
    await reader
    by_old, by_new = {each[0] for each in seen}, {each[1] for each in seen}
    assert by_old <= {0, len(texts)}
    assert by_new <= {0, len(texts)}
    assert seen[0] == (len(texts), 0)
    assert seen[-1] == (0, len(texts))
    assert await held(new, scope) == {"test:new": 50}


def served(found: SearchResult, texts: Sequence[str]) -> int:
    """How many of these turns were compared by vector."""
    return sum(each.cosine is not None for each in found.candidates.candidates if each.text in texts)


async def test_what_the_old_model_finishes_after_the_switch_is_not_saved(database: Database, scope: Scope):
    held_up = HeldUp("test:old")
    old, new = leaning(database, held_up), leaning(database, Letters("test:new", 48))
    await tells(old, scope, "We got a puppy.")
    late = asyncio.create_task(embed_pending(old, scope))
    await held_up.begun.wait()
    await switch_model(new, scope)
    held_up.may_end.set()
    assert await late == 0
    assert await held(new, scope) == {"test:new": 1}


async def test_members_of_a_group_are_switched_together(database: Database, scope: Scope):
    ann, bob = (replace(scope, key="group:tea", user_id=uuid4()) for _ in range(2))
    resources = leaning(database, Letters("test:new"))
    await tells(resources, ann, "I bring the cups.")
    await tells(resources, bob, "I bring the leaves.")
    await switch_model(resources, ann)
    assert await held(resources, bob) == {"test:new": 2}
    assert (await asks(resources, bob, "Who brings cups?")).degraded == ()


@pytest.fixture
def provider() -> Generator[ScriptedOpenAI]:
    """Embeds by the text's letters; the model ``slow`` answers once, then not before it is let go."""
    slow = When(endpoint="embeddings", model="slow")
    with ScriptedOpenAI([Step(when=slow), Step(when=slow, held=True, times=None)]) as server:
        yield server


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path, provider: ScriptedOpenAI) -> Brain:
    settings = {"BRAIN_BASE_URL": provider.base_url, "BRAIN_EMBEDDINGS": "openai:old"}
    return Brain(as_url(test_addresses.owner), tmp_path, settings=settings)


def recorded(folder: Path, turns: int, *people: str) -> str:
    file = folder / "talk.jsonl"
    file.write_text("\n".join(json.dumps(a_recording(person, turns)) for person in people))
    return str(file)


def a_recording(person: str, turns: int) -> dict[str, Any]:
    said = [{"turn_id": str(number), "speaker": person, "text": f"Cup {number} of tea"} for number in range(turns)]
    return {
        "conversation_id": person,
        "sessions": [{"session_id": "s", "occurred_at": "2026-03-01T12:00", "turns": said}],
    }


def models(brain: Brain, *who: str) -> dict[tuple[str, bool], tuple[int, int]]:
    status = brain.ask("embed", "status", *who, "--json").json
    return {(each["model"], each["staged"]): (each["rows"], each["people"]) for each in status["models"]}


def test_everybody_is_embedded_and_switched_from_the_command_line(brain: Brain):
    assert brain.ask("ingest", recorded(brain.folder, 3, "ann", "bob")).code == 0
    assert models(brain, "--everybody") == {("none", False): (6, 2)}
    assert brain.ask("embed", "run", "--user", "ann", "--json").json == {"rows": 3}
    assert models(brain, "--everybody") == {("none", False): (3, 1), ("openai:old", False): (3, 1)}
    done = brain.ask("embed", "switch", "openai:new", "--everybody")
    assert done.out.splitlines() == [
        "6 rows are served by openai:new now.",
        "Set BRAIN_EMBEDDINGS=openai:new and restart what runs: until then recall works on words alone.",
    ]
    assert models(brain, "--everybody") == {("openai:new", False): (6, 2)}
    before = brain.ask("recall", "tea", "--user", "ann", "--json").json
    restarted = replace(brain, settings={**brain.settings, "BRAIN_EMBEDDINGS": "openai:new"})
    after = restarted.ask("recall", "tea", "--user", "ann", "--json").json
    assert (before["degrade_mode"], after["degrade_mode"]) == (["embeddings_incomplete"], [])


def test_a_switch_that_was_killed_goes_on_where_it_stopped(brain: Brain, provider: ScriptedOpenAI):
    assert brain.ask("ingest", recorded(brain.folder, 400, "ann")).code == 0
    assert brain.ask("embed", "run", "--user", "ann").code == 0
    with brain.running("embed", "switch", "openai:slow", "--user", "ann") as switching:
        while (staged := models(brain, "--user", "ann").get(("openai:slow", True), (0, 0))[0]) == 0:
            assert switching.poll() is None
            time.sleep(0.1)
        switching.kill()
        switching.wait()
    provider.let_go()
    assert models(brain, "--user", "ann")["openai:old", False] == (400, 1)
    assert brain.ask("recall", "tea", "--user", "ann", "--json").json["degrade_mode"] == []
    asked_before = len([request for request in provider.requests if request.model == "slow"])
    assert brain.ask("embed", "switch", "openai:slow", "--user", "ann").code == 0
    asked_again = [request for request in provider.requests if request.model == "slow"][asked_before:]
    assert models(brain, "--user", "ann") == {("openai:slow", False): (400, 1)}
    assert 0 < staged < 400
    assert sum(len(request.body["input"]) for request in asked_again) <= 400 - staged


def test_what_cannot_be_done_is_one_coded_line(brain: Brain):
    unset = replace(brain, settings={"BRAIN_EMBEDDINGS": "none"})
    for done, code in (
        (unset.ask("embed", "run"), "E_CONFIG"),
        (brain.ask("embed", "switch", "none"), "E_BAD_REQUEST"),
        (brain.ask("embed", "switch", "word2vec"), "E_BAD_REQUEST"),
    ):
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"{code}: ")
        assert done.err.count("\n") == 1


def test_the_status_without_json_is_a_table(brain: Brain):
    assert brain.ask("ingest", recorded(brain.folder, 2, "ann")).code == 0
    shown = brain.ask("embed", "status", "--user", "ann").out
    assert "Configured: openai:old." in shown
    assert "waiting for a vector" in shown
